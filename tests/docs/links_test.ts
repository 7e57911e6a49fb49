/** Checks that everything the documents point to exists, and that every page can be found. */
import { assert, assertEquals } from "@std/assert";
import { FLAGS } from "../../src/cli/flags.ts";
import { SUBCOMMANDS } from "../../src/cli/subcommands.ts";
import { REPOSITORY } from "../support/server.ts";
import { anchors, filesBelow, inlineCode, type Page, pages, prose } from "./pages.ts";

const PAGES = pages();
const BY_PATH = new Map(PAGES.map((page) => [page.path, page]));

interface Link {
  /** From the repository's root. */
  readonly path: string;
  readonly anchor: string;
}

/** Links to other files and headings of the repository. */
function links(page: Page): Link[] {
  const targets = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => {
    const base = `http://repository/${page.path}`;
    const { pathname, hash } = new URL(target, base);
    return { path: decodeURIComponent(pathname.slice(1)), anchor: hash.slice(1) };
  });
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(REPOSITORY + path);
    return true;
  } catch {
    return false;
  }
}

Deno.test("every link leads to a file, and every anchor to a heading", () => {
  const broken = PAGES.flatMap((page) =>
    links(page).filter(({ path, anchor }) => {
      if (!exists(path)) return true;
      const target = BY_PATH.get(path);
      return anchor !== "" && (target === undefined || !anchors(target).has(anchor));
    }).map(({ path, anchor }) => `${page.path}: ${path}#${anchor}`)
  );
  assertEquals(broken, []);
  assert(PAGES.flatMap(links).length > 100);
});

Deno.test("every page in docs is linked from the index, and every decision from theirs", () => {
  const linked = ["docs/README.md", "docs/decisions/README.md"].flatMap((path) => {
    const page = BY_PATH.get(path);
    assert(page, path);
    return links(page).map((link) => link.path);
  });
  const lost = PAGES.map(({ path }) => path).filter((path) =>
    path.startsWith("docs/") && path !== "docs/README.md" && !linked.includes(path)
  );
  assertEquals(lost, []);
});

Deno.test("every file that a document names exists", () => {
  const all = ["src", "tests", "bench", "build", "docs", "console", "clients", "config", ".github"]
    .flatMap(filesBelow).concat([...Deno.readDirSync(REPOSITORY)].map(({ name }) => name));
  const isThere = (path: string) =>
    path.endsWith("/") || path.endsWith("/*.ts")
      ? all.some((file) => `/${file}`.includes(`/${path.replace("*.ts", "")}`))
      : all.some((file) => `/${file}`.endsWith(`/${path}`));
  const missing = PAGES.filter(({ path }) => !path.startsWith("docs/guides/")).flatMap((page) =>
    inlineCode(page)
      .filter((code) => /^[\w./*-]+\.(tsx?|wat)$|^(tests|src|bench|docs)\/[\w./*-]*$/.test(code))
      .filter((code) => !NOT_OURS.includes(code) && !isThere(code))
      .map((code) => `${page.path}: ${code}`)
  );
  assertEquals(missing, []);
});

/** The example of a page, not files of the repository. */
const NOT_OURS = ["src/surfaces/roots/tools/count_lines.ts", "*.ts"];

Deno.test("documents that comments mention exist", () => {
  const wrong = ["src", "tests", "bench", "build", "docs", "config", "clients"].flatMap(filesBelow)
    .filter((path) => /\.(ts|tsx|yaml)$/.test(path))
    .flatMap((path) => {
      const comments = Deno.readTextFileSync(REPOSITORY + path).split("\n")
        .filter((line) => /^\s*(\/\/|\/?\*|#)/.test(line));
      return [...comments.join("\n").matchAll(/\bdocs\/[\w/]+\.(?:md|png|svg|json)\b/g)]
        .filter(([name]) => !exists(name)).map(([name]) => `${path}: ${name}`);
    });
  assertEquals(wrong, []);
});

Deno.test("every flag in a document's command is a flag of that command", () => {
  const spelled = (flags: readonly { name: string }[]) => flags.map(({ name }) => `--${name}`);
  const wrong = PAGES.flatMap((page) =>
    inlineCode(page).filter((code) => code.startsWith("paddock ")).flatMap((code) => {
      const [, command = ""] = code.split(" ");
      const record = SUBCOMMANDS.find(({ name }) => name === command);
      const own = record === undefined ? FLAGS : record.flags;
      const known = new Set(spelled([...own, { name: "help" }]));
      const [words = ""] = code.split(" -- ");
      return [...words.matchAll(/--[a-z-]+/g)].map(([flag]) => flag)
        .filter((flag) => !known.has(flag)).map((flag) => `${page.path}: ${code}: ${flag}`);
    })
  );
  assertEquals(wrong, []);
});

Deno.test("the README is under 150 lines", () => {
  assert((BY_PATH.get("README.md")?.text.split("\n").length ?? 0) <= 150);
});
