/** Sections 1.1 and 4.3: what an edit keeps, and what it refuses so as not to lose it. */
import { assertEquals, assertMatch } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { sharedFlat } from "./faces.ts";

const flat = sharedFlat({ args: ["--max-size=1"] });
const MIB = 1024 * 1024;

Deno.test("4.3 an edit keeps line endings, byte order mark and a missing final newline", async () => {
  const line = (base: number) => 1 + base;
  const cases: [before: string, operation: string, content: string | undefined, after: string][] = [
    ["a\r\nb\r\nc\r\n", "replace", "x", "a\r\nx\r\nc\r\n"],
    ["a\r\nb\r\nc\r\n", "insert", "x\ny", "a\r\nx\r\ny\r\nb\r\nc\r\n"],
    ["a\r\nb\r\nc\r\n", "delete", undefined, "a\r\nc\r\n"],
    ["a\rb\rc\r", "replace", "x", "a\rx\rc\r"],
    ["a\rb\rc\r", "insert", "x", "a\rx\rb\rc\r"],
    ["a\nb\r\nc\rd", "replace", "x", "a\nx\r\nc\rd"],
    ["a\nb", "replace", "x", "a\nx"],
    ["a\nb", "delete", undefined, "a\n"],
    ["a\nb", "insert", "x", "a\nx\nb"],
    ["\uFEFFa\nb\n", "replace", "x", "\uFEFFa\nx\n"],
    ["\uFEFFa\r\nb", "insert", "x", "\uFEFFa\r\nx\r\nb"],
    ["a\n\n\n", "replace", "x", "a\nx\n\n"],
    ["日本\né😀\n", "replace", "ü", "日本\nü\n"],
  ];
  await flat().each(async (face, file) => {
    for (const [before, operation, content, after] of cases) {
      flat().folder.write(file, before);
      const edits = [{
        line: line(face.base),
        operation,
        ...(content === undefined ? {} : { content }),
      }];
      await face.ok("edit_file", { name: file, edits });
      assertEquals(flat().folder.read(file), after, JSON.stringify([before, operation]));
    }
  });
});

Deno.test("4.3 an edit of the first line leaves the byte order mark in front of it", async () => {
  await flat().each(async (face, file) => {
    flat().folder.write(file, "\uFEFFa\nb\n");
    const edits = [
      { line: face.base, operation: "insert", content: "first" },
      { line: face.base, operation: "replace", content: "A" },
    ];
    await face.ok("edit_file", { name: file, edits });
    assertEquals(flat().folder.read(file), "\uFEFFfirst\nA\nb\n");
  });
});

Deno.test(
  onUnix("4.3 an edit keeps the mode of a file, and a new one gets what the umask leaves"),
  async () => {
    const { folder } = flat();
    const mode = (file: string) => (Deno.statSync(`${folder.path}/${file}`).mode ?? 0) & 0o7777;
    await flat().each(async (face, file) => {
      for (const bits of [0o640, 0o755, 0o600, 0o664]) {
        Deno.chmodSync(folder.write(file, "a\n"), bits);
        await face.ok("edit_file", { name: file, append: "b\n" });
        assertEquals(mode(file), bits);
      }
      await face.ok("edit_file", { name: `new-${file}`, append: "x", create_if_missing: true });
      assertEquals(mode(`new-${file}`), 0o666 & ~Deno.umask());
    });
  },
);

Deno.test(
  onUnix("4.3 an edit through a link that stays inside changes its target and keeps the link"),
  async () => {
    const { folder } = flat();
    await flat().each(async (face, file) => {
      folder.write(`sub/${file}`, "a\n");
      Deno.symlinkSync(`sub/${file}`, `${folder.path}/${file}`);
      await face.ok("edit_file", { name: file, append: "b\n" });
      assertEquals(folder.read(`sub/${file}`), "a\nb\n");
      assertEquals(Deno.readLinkSync(`${folder.path}/${file}`), `sub/${file}`);
    });
  },
);

Deno.test("2.3 an edit refuses a file that is not UTF-8, and text that cannot become UTF-8", async () => {
  const { folder } = flat();
  const bytes = new Uint8Array([0x61, 0xe9, 0x0a]);
  await flat().each(async (face, file) => {
    const path = folder.write(file, bytes);
    const { message, code } = await face.refused("edit_file", { name: file, append: "x" });
    assertEquals(message, "File contains invalid UTF-8 encoding");
    assertEquals(code, face.base === 1 ? -32001 : undefined);
    assertEquals(Deno.readFileSync(path), bytes);
    const lone = { line: face.base, operation: "replace", content: "\ud800" };
    const half = await face.refused("edit_file", { name: file, edits: [lone] });
    assertMatch(half.message, /^content holds a lone surrogate/);
    assertMatch(
      (await face.refused("edit_file", { name: file, append: "\udc00" })).message,
      /^append holds a lone/,
    );
  });
});

Deno.test("4.2 a file over the limit is refused before it is read, and a result over it before it is written", async () => {
  const { folder } = flat();
  await flat().each(async (face, file) => {
    // Far too large to read.
    Deno.truncateSync(folder.write(file, ""), 50 * 1024 * MIB);
    for (const operation of ["edit_file", "read_file"] as const) {
      const large = await face.refused(operation, { name: file });
      assertEquals(large.message, "File size 51200MB exceeds maximum limit 1MB");
      assertEquals(large.code, face.base === 1 ? -32001 : undefined);
      assertEquals(large.status, face.name === "rest" ? 413 : undefined);
    }

    const almost = "x".repeat(MIB - 10) + "\n";
    folder.write(file, almost);
    const result = await face.refused("edit_file", { name: file, append: "é".repeat(5) });
    assertEquals(result.message, "File size 1.01MB exceeds maximum limit 1MB");
    assertEquals(folder.read(file), almost);
    await face.ok("edit_file", { name: file, append: "é".repeat(4) + "x" }); // exactly
    assertEquals(Deno.statSync(`${folder.path}/${file}`).size, MIB);
    Deno.removeSync(`${folder.path}/${file}`);
  });
});

Deno.test("4.3 an edit that fails leaves no temporary file behind, and neither does one that succeeds", async () => {
  const { folder } = flat();
  await flat().each(async (face, file) => {
    folder.write(file, "a\n");
    await face.refused("edit_file", { name: file, edits: [{ line: 99, operation: "delete" }] });
    folder.write(file, "x".repeat(MIB));
    await face.refused("edit_file", { name: file, append: "x" });
    folder.write(file, "a\n");
    await face.ok("edit_file", { name: file, append: "b\n" });
    assertEquals(folder.names().filter((name) => name.includes(".tmp")), []);
  });
});
