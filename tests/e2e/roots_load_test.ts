/** NFR-005: fifty calls in flight at once, of all kinds, on one server. */
import { assertEquals } from "@std/assert";
import { RootsFixture } from "./roots_fixture.ts";

const EACH = 5;
const NUMBERS = Array.from({ length: EACH }, (_, i) => i);

for (const transport of ["http", "stdio"] as const) {
  Deno.test(`NFR-005 fifty calls in flight at once are answered correctly over ${transport}`, async () => {
    await using roots = await RootsFixture.start([
      { name: "one", path: "one", tools: ["*"] },
      { name: "two", path: "two", tools: ["*"] },
    ], {
      transport,
      prepare: (folder) => {
        for (const i of NUMBERS) {
          folder.write(`one/read/${i}.txt`, `content ${i}\n`.repeat(i + 1));
          folder.write(`one/old/${i}.txt`, `old ${i}\n`);
          folder.write(`one/moved/${i}.txt`, `moved ${i}\n`);
        }
        folder.write("one/patched.txt", NUMBERS.map((i) => `line ${i}\n`).join(""));
      },
    });
    const one = (path: string, rest: Record<string, unknown> = {}) => ({ root: "one", path, ...rest });
    const across = (path: string) => ({
      source_root: "one",
      source_path: path,
      dest_root: "two",
      dest_path: path,
    });
    const kinds: ((i: number) => Promise<void>)[] = [
      async (i) => {
        const { content } = await roots.ok("read_file", one(`read/${i}.txt`));
        assertEquals(content, `content ${i}\n`.repeat(i + 1));
      },
      async (i) => {
        const written = await roots.ok("write_file", one(`new/${i}.txt`, { content: `new ${i}` }));
        assertEquals([written.created, written.size], [true, 5]);
      },
      async (i) => { // all on one file: none may be lost
        await roots.ok("write_file", one("log.txt", { content: `entry ${i}\n`, mode: "append" }));
      },
      async (i) => {
        const patch = `@@ -${i + 1} +${i + 1} @@\n-line ${i}\n+LINE ${i}\n`;
        assertEquals((await roots.ok("patch_file", one("patched.txt", { patch }))).hunks_applied, 1);
      },
      async (i) => {
        assertEquals((await roots.ok("copy", across(`old/${i}.txt`))).size, 6);
      },
      async (i) => {
        await roots.ok("move", across(`moved/${i}.txt`));
      },
      async (i) => {
        const { matches } = await roots.ok("grep", { root: "one", pattern: `^old ${i}$`, path: "old" });
        assertEquals(matches.map(({ file }: { file: string }) => file), [`old/${i}.txt`]);
      },
      async (i) => {
        const { matches } = await roots.ok("glob", { root: "one", pattern: `read/${i}.*` });
        assertEquals(matches.length, 1);
      },
      async (i) => {
        assertEquals((await roots.ok("list_folder", one("read"))).count, EACH, `listing ${i}`);
      },
      async (i) => {
        const message = await roots.refused("read_file", one(`../${i}`));
        assertEquals(message.includes(`"../${i}"`), true, message);
      },
    ];
    await Promise.all(NUMBERS.flatMap((i) => kinds.map((call) => call(i))));

    const { folder } = roots;
    assertEquals(
      folder.read("one/log.txt").split("\n").sort(),
      ["", ...NUMBERS.map((i) => `entry ${i}`)],
    );
    assertEquals(folder.read("one/patched.txt"), NUMBERS.map((i) => `LINE ${i}\n`).join(""));
    for (const i of NUMBERS) {
      assertEquals(folder.read(`one/new/${i}.txt`), `new ${i}`);
      assertEquals(folder.read(`two/old/${i}.txt`), folder.read(`one/old/${i}.txt`));
      assertEquals(folder.read(`two/moved/${i}.txt`), `moved ${i}\n`);
    }
    const left = folder.names().filter((name) => name.startsWith("one/moved/") || name.includes(".paddock-"));
    assertEquals(left, ["one/moved/"]);
    assertEquals((await roots.logged({ event: "tool_call", outcome: "success" }, 45)).length, 45);
  });
}
