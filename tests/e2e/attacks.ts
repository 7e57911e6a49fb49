/** The attacks of attacks_test.ts: the paths to try, and a place to try them in. */
import { tempFolder } from "../support/temp.ts";

export const SECRET = "TOPSECRET";

/** What a path is, and therefore what must happen to it. */
export type Kind =
  /** Leads outside: refused by every tool. */
  | "outside"
  /** A link that itself leads outside or nowhere: refused by every tool that would follow it. */
  | "link"
  /** A name of paddock's temporary files. */
  | "own"
  /** Inside a `.git`, by some name or route: refused by every tool that would change it. */
  | "git"
  /** Inside a nested root that allows reading only. */
  | "nested"
  /** Not a possible path. */
  | "invalid"
  /** An ordinary name, whatever it looks like: whatever is done with it is done inside. */
  | "harmless";

export interface Attack {
  kind: Kind;
  path: string;
}

export function attacksIn(base: string): Attack[] {
  const of = (kind: Kind, ...paths: string[]) => paths.map((path) => ({ kind, path }));
  return [
    ...of(
      "outside",
      "..",
      "../",
      "../outside/secret.txt",
      "../field_evil/secret.txt",
      "../field_evil/new.txt",
    ),
    ...of(
      "outside",
      "no/../../outside/secret.txt",
      "ok.txt/../../outside/new.txt",
      "inner/../../outside/new.txt",
    ),
    ...of("outside", "/etc/passwd", "//", "//etc/passwd", "/ok.txt", `${base}/outside/secret.txt`),
    ...of(
      "outside",
      "out_dir/secret.txt",
      "out_dir/new.txt",
      "out_dir/no/such/new.txt",
      "evil_dir/secret.txt",
    ),
    ...of(
      "outside",
      "chain/secret.txt",
      "chain/new.txt",
      "parent/outside/secret.txt",
      "parent/field_evil/new.txt",
    ),
    ...of(
      "outside",
      "dangling/new.txt",
      "dangling_out/new.txt",
      "loop/x",
      "system_dir/passwd",
      "self/out_dir/new.txt",
    ),
    ...of(
      "outside",
      "ok\0.txt",
      "\0",
      "../outside/secret.txt\0.png",
      "ok_dir/../".repeat(300) + "../outside/new.txt",
    ),
    ...of("harmless", `${base}/field/ok.txt`, "field/ok.txt", "field/out_dir/secret.txt"),
    ...of("outside", `${base}/field/../outside/secret.txt`, `${base}/field_evil/new.txt`),
    ...of("outside", `${base}/field/out_dir/secret.txt`),
    ...of("git", `${base}/field/.git/config`, `${base}/field/no/../.GIT/config`, "field/.git/config"),
    ...of("nested", `${base}/field/inner/new.txt`),
    ...of(
      "link",
      "out_file",
      "out_dir",
      "evil_dir",
      "evil_file",
      "chain",
      "parent",
      "system_dir",
      "system_file",
    ),
    ...of("link", "dangling", "dangling_out", "loop", "zero"),
    ...of(
      "own",
      ".paddock-0a.tmp",
      "ok_dir/.paddock-ff.tmp",
      ".PADDOCK-0A.TMP",
      ".paddock-0a.tmp/x",
      "own_link/x",
    ),
    ...of(
      "git",
      ".git/hooks/pre-commit",
      ".git/config",
      ".git",
      ".GIT/hooks/pre-commit",
      "git~1/hooks/pre-commit",
    ),
    ...of(
      "git",
      ".git./config",
      ".git /config",
      ".git::$INDEX_ALLOCATION/config",
      ".g\u200cit/hooks/pre-commit",
    ),
    ...of(
      "git",
      "git_link/hooks/pre-commit",
      "hooks_link/pre-commit",
      "ok_dir/.git/config",
      "no/such/.Git/config",
    ),
    ...of("nested", "inner/x.txt", "inner/new.txt", "inner_link/x.txt", "self/inner/new.txt"),
    ...of("invalid", "n".repeat(300), "ok_dir/" + "é".repeat(150), "a/".repeat(3000), "x".repeat(1_000_000)),
    ...of(
      "harmless",
      "%2e%2e%2foutside%2fsecret.txt",
      "%2e%2e/outside/secret.txt",
      "..\\outside\\secret.txt",
    ),
    ...of(
      "harmless",
      "\uff0e\uff0e/outside/secret.txt",
      "..\u2215outside\u2215secret.txt",
      "~/x",
      "$HOME/x",
      "$(id)",
    ),
    ...of(
      "harmless",
      "-rf",
      "--help",
      "C:\\x",
      "\\\\server\\share",
      "file:ok.txt",
      "ok.txt\u0000".slice(0, -1) + " ",
    ),
    ...of(
      "harmless",
      'a\nb\n{"event":"forged"}',
      "a\r\nb",
      "\u001b[31mred",
      "\u009b31m",
      "\u202etxt.exe",
      "\u2028",
      "\ud800",
    ),
    ...of(
      "harmless",
      "日本/é",
      "e\u0301",
      "nu\u0131l",
      "pipe",
      ".",
      "",
      "/",
      "ok.txt/x",
      "constructor",
      "__proto__",
    ),
  ];
}

/** Roots `field`, with `inner` inside it, and `other`; beside them files that nobody may touch; links between them. */
export function battlefield() {
  const folder = tempFolder();
  const field = `${folder.path}/field`;
  const links: Record<string, string> = {
    self: ".",
    out_file: "../outside/secret.txt",
    out_dir: `${folder.path}/outside`,
    evil_dir: "../field_evil",
    evil_file: "../field_evil/secret.txt",
    chain: "chain2",
    chain2: "self/out_dir",
    parent: "..",
    system_dir: "/etc",
    system_file: "/etc/passwd",
    zero: "/dev/zero",
    dangling: "no_such_target",
    dangling_out: "../outside/new.txt",
    loop: "loop",
    own_link: ".paddock-0a.tmp",
    git_link: ".git",
    hooks_link: ".git/hooks",
    inner_link: "inner",
  };
  const files = {
    "field/ok.txt": "ok\n",
    "field/ok_dir/x.txt": "x\n",
    "field/ok_dir/.git/config": "[core]\n",
    "field/.git/config": "[core]\n",
    "field/.git/hooks/pre-commit": "#!/bin/sh\n",
    "field/inner/x.txt": "x\n",
    "other/y.txt": "y\n",
    "outside/secret.txt": SECRET,
    "outside/folder/only_outside.txt": SECRET,
    "field_evil/secret.txt": SECRET,
  };
  /** Restores what an allowed attack has used up or replaced. */
  const restore = () => {
    for (const [name, content] of Object.entries(files)) {
      const path = `${folder.path}/${name}`;
      if (what(path) === "file") continue;
      clear(path);
      folder.write(name, content);
    }
    for (const [name, target] of Object.entries(links)) {
      const path = `${field}/${name}`;
      if (what(path) === `link to ${target}`) continue;
      clear(path);
      Deno.symlinkSync(target, path);
    }
    if (what(`${field}/pipe`) === "something else") return;
    clear(`${field}/pipe`);
    new Deno.Command("mkfifo", { args: [`${field}/pipe`] }).outputSync();
  };
  restore();
  /** What no call may change: everything outside the roots and, inside them, the .git folders and `inner`. */
  const untouchable = () =>
    folder.names().filter((name) =>
      !/^(field|other)\//.test(name) || /^field\/(.*\.git|inner)(\/|$)/i.test(name)
    )
      .map((name) => name.endsWith("/") ? name : `${name}: ${folder.read(name)}`);
  return { folder, restore, untouchable };
}

/** What is at a path itself. */
function what(path: string): string {
  try {
    const { isSymlink, isFile } = Deno.lstatSync(path);
    return isSymlink ? `link to ${Deno.readLinkSync(path)}` : isFile ? "file" : "something else";
  } catch {
    return "nothing";
  }
}

function clear(path: string): void {
  if (what(path) !== "nothing") Deno.removeSync(path, { recursive: true });
}
