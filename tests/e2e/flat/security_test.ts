/** Section 4.2: names, links and everything else by which a call could leave the folder. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { HttpServer } from "../../support/http_server.ts";
import { post } from "../../support/http_client.ts";
import { needs, onUnix, withMkfifo } from "../../support/needs.ts";
import { linesOf } from "../../support/run_log.ts";
import { tempFolder } from "../../support/temp.ts";
import { Flat, type Operation, sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--log-format=json"] });
const ON_A_NAME: readonly Operation[] = ["read_file", "edit_file"];

const BAD_NAMES: unknown[] = [
  "",
  ".",
  "..",
  "../x",
  "../../etc/passwd",
  "a/b",
  "a\\b",
  "/etc/passwd",
  "./a",
  "C:\\x",
  "~",
  "a b",
  "a\nb",
  "a.txt\n",
  "a\0b",
  "%2e%2e",
  "..%2f",
  "é",
  "ａ.txt",
  "a:b",
  "a*",
  "x".repeat(256),
  undefined,
  null,
  5,
  ["a.txt"],
  { name: "a.txt" },
];

Deno.test("4.2 names outside the pattern, or longer than 255 characters, are refused: -32602", async () => {
  await flat().each(async (face) => {
    for (const name of BAD_NAMES) {
      for (const operation of ON_A_NAME) {
        const args = { ...(name === undefined ? {} : { name }), create_if_missing: true };
        const { create_if_missing: _, ...reading } = args;
        const { message, code, status } = await face.refused(
          operation,
          operation === "edit_file" ? args : reading,
        );
        const told = `${operation} ${JSON.stringify(name)}`;
        assertEquals(message, "Invalid filename format", told);
        assertEquals(code, face.base === 1 ? -32602 : undefined, told);
        assertEquals(status, face.name === "rest" ? 400 : undefined, told);
      }
    }
  });
  assertEquals(flat().folder.names(), []);
});

Deno.test("4.2 names with every allowed character, and of 255 characters, are accepted", async () => {
  const names = [
    "a",
    "A.B-c_9",
    "...",
    "-",
    "_",
    "0",
    "-rf",
    ".env",
    "x".repeat(255),
    "constructor",
    "__proto__",
  ];
  await flat().each(async (face) => {
    for (const name of names) {
      await face.ok("edit_file", { name, append: "x\n", create_if_missing: true });
      await face.ok("read_file", { name });
    }
    for (const name of names) Deno.removeSync(`${flat().folder.path}/${name}`);
  });
});

Deno.test(
  onUnix("4.2 links that lead outside or nowhere are not followed, and the refusal is logged"),
  async () => {
    using outside = tempFolder();
    outside.write("secret.txt", "SECRET\n");
    const { folder } = flat();
    folder.write("sub/inner.txt", "inner\n");
    const links: Record<string, string> = {
      "absolute.txt": `${outside.path}/secret.txt`,
      "relative.txt": `../${outside.path.split("/").at(-1)}/secret.txt`,
      "dangling.txt": `${outside.path}/new.txt`,
      "inside-dangling.txt": "not-there.txt",
      "folder.txt": outside.path,
      "chain.txt": "absolute.txt",
      "loop.txt": "loop.txt",
    };
    for (const [name, target] of Object.entries(links)) Deno.symlinkSync(target, `${folder.path}/${name}`);
    await flat().each(async (face) => {
      for (const name of Object.keys(links)) {
        for (const operation of ON_A_NAME) {
          const args = operation === "read_file"
            ? { name }
            : { name, append: "x\n", create_if_missing: true };
          const { message, code } = await face.refused(operation, args);
          assertEquals(message, `Permission denied accessing '${name}'`);
          assertEquals(code, face.base === 1 ? -32001 : undefined);
        }
      }
    });
    assertEquals(outside.names(), ["secret.txt"]);
    assertEquals(outside.read("secret.txt"), "SECRET\n");
    for (const { log } of [flat().stdio, flat().http]) {
      const denied = linesOf(log, "security_denied").filter(({ path }) => path === "absolute.txt");
      assert(denied.length > 0);
      assertEquals(denied[0]?.attempted_path, "absolute.txt");
      assert(!log.includes("SECRET"));
    }
  },
);

Deno.test(withMkfifo("4.2 a FIFO does not hang a call"), async () => {
  assert(new Deno.Command("mkfifo", { args: [`${flat().folder.path}/fifo`] }).outputSync().success);
  await flat().each(async (face) => {
    for (const operation of ON_A_NAME) {
      assertMatch((await face.refused(operation, { name: "fifo" })).message, /not a regular file/);
    }
  });
});

Deno.test("4.2 a .git and the server's own temporary names are out of reach", async () => {
  const { folder } = flat();
  folder.write(".git", "gitdir: /elsewhere\n");
  await flat().each(async (face) => {
    for (const name of [".git", ".GIT", ".git.", ".paddock-00ff.tmp"]) {
      for (const operation of ON_A_NAME) {
        const { message } = await face.refused(operation, { name });
        assertEquals(message, `Permission denied accessing '${name}'`);
      }
    }
  });
  assertEquals(folder.read(".git"), "gitdir: /elsewhere\n");
});

Deno.test("4.2 with --read-only there are two tools, and edit_file is refused on every interface", async () => {
  await using own = await Flat.start({ args: ["--read-only"] });
  own.folder.write("a.txt", "a\n");
  const { result } = await own.stdio.request("tools/list");
  assertEquals(result.tools.map(({ name }: { name: string }) => name), ["list_files", "read_file"]);
  const { paths } = await (await fetch(`${own.http.url}/openapi.json`)).json();
  assertEquals(Object.keys(paths).sort(), ["/list_files", "/read_file"]);
  await own.each(async (face) => {
    await face.ok("read_file", { name: "a.txt" });
    await face.ok("list_files");
    const { message } = await face.refused("edit_file", { name: "a.txt", append: "b\n" });
    assertEquals(message, "edit_file is not allowed: the server is read-only");
  });
  assertEquals(own.folder.read("a.txt"), "a\n");
});

Deno.test(
  needs("a run without coverage")(
    "4.2 the permission fence protects this surface too, and the log says so",
  ),
  async () => {
    for (const server of [flat().stdio, flat().http]) {
      await server.logged("server_starting");
      const { fence } = linesOf(server.log, "server_starting")[0] ?? {};
      assertMatch(
        String(fence),
        /^permissions narrowed to the directories; (no kernel fence: |kernel \(Landlock)/,
      );
    }
  },
);

Deno.test("4.2 a token guards the operations and their description", async () => {
  using folder = tempFolder();
  const token = "0123456789abcdef0123456789abcdef";
  await using server = await HttpServer.start([`--dir=${folder.path}`], { env: { PADDOCK_TOKEN: token } });
  const statuses = async (headers: Record<string, string>) => {
    const answers = [
      await post(`${server.url}/list_files`, {}, { headers }),
      await fetch(`${server.url}/openapi.json`, { headers }),
      await post(`${server.url}/mcp`, { jsonrpc: "2.0", id: 1, method: "list_files" }, { headers }),
    ];
    for (const answer of answers) await answer.body?.cancel();
    return answers.map(({ status }) => status);
  };
  assertEquals(await statuses({}), [401, 401, 401]);
  assertEquals(await statuses({ authorization: `Bearer ${token}x` }), [401, 401, 401]);
  assertEquals(await statuses({ authorization: `Bearer ${token}` }), [200, 200, 200]);
});

Deno.test(onUnix("4.2 only list_files over REST and as a bare method reveals the host's path"), async () => {
  const { folder } = flat();
  const answers: unknown[] = [];
  await flat().each(async (face) => {
    if (face.base === 0) answers.push(await face.ok("list_files"));
    for (const name of ["gone.txt", "absolute.txt", "sub", "fifo"]) {
      answers.push(await face.refused("read_file", { name }));
    }
  });
  assert(!JSON.stringify(answers).includes(folder.path), JSON.stringify(answers));
  assertStringIncludes(JSON.stringify(await flat().rest.ok("list_files")), folder.path);
});
