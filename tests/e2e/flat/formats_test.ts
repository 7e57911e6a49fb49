/** Sections 3.3.1 and 3.4: the exact texts of the MCP tools. */
import { assertEquals } from "@std/assert";
import { sharedFlat } from "./faces.ts";

const flat = sharedFlat();

/** The complete result of a call, the same over stdio and HTTP. */
async function result(name: "list_files" | "read_file" | "edit_file", args: Record<string, unknown> = {}) {
  const { result } = await flat().stdio.request("tools/call", { name, arguments: args });
  if (name === "edit_file" && !result.isError) return result;
  const { ok, refused } = flat().face("mcp over http");
  const text = result.isError ? `Error: ${(await refused(name, args)).message}` : await ok(name, args);
  assertEquals(text, result.content[0].text);
  return result;
}

const success = (text: string) => ({ content: [{ type: "text", text }], isError: false });
const failure = (text: string) => ({ content: [{ type: "text", text }], isError: true });

Deno.test("3.4.1 the text of list_files", async () => {
  const { folder } = flat();
  assertEquals(await result("list_files"), success("Files in directory:\n\n\nTotal files: 0"));
  const files: [name: string, text: string, time: string][] = [
    ["example.txt", "x\n".repeat(42), "2025-06-04T10:30:00Z"],
    ["config.ini", "x\n".repeat(15), "2025-06-04T09:15:00Z"],
    ["data.json", "x\n".repeat(128), "2025-06-04T11:00:00Z"],
  ];
  for (const [name, text, time] of files) {
    Deno.utimeSync(folder.write(name, text), new Date(time), new Date(time));
  }
  assertEquals(
    await result("list_files"),
    success(
      "Files in directory:\n\n" +
        "name: config.ini, modified: 2025-06-04T09:15:00Z, lines: 15\n" +
        "name: data.json, modified: 2025-06-04T11:00:00Z, lines: 128\n" +
        "name: example.txt, modified: 2025-06-04T10:30:00Z, lines: 42\n\n" +
        "Total files: 3",
    ),
  );
});

Deno.test("3.4.2 the text of read_file, for a whole file and for a range", async () => {
  const text = Array.from({ length: 42 }, (_, i) => `line ${i + 1} content\n`).join("");
  flat().folder.write("read.txt", text);
  assertEquals(
    await result("read_file", { name: "read.txt" }),
    success(`File: read.txt (42 lines)\n\n${text.slice(0, -1)}`),
  );
  assertEquals(
    await result("read_file", { name: "read.txt", start_line: 5, end_line: 10 }),
    success(
      "File: read.txt (lines 5-10 of 42 total)\n\n" +
        "line 6 content\nline 7 content\nline 8 content\nline 9 content\nline 10 content\nline 11 content",
    ),
  );
  assertEquals(
    await result("read_file", { name: "read.txt", start_line: 40 }),
    success("File: read.txt (lines 40-41 of 42 total)\n\nline 41 content\nline 42 content"),
  );
  flat().folder.write("none.txt", "");
  assertEquals(
    await result("read_file", { name: "none.txt", end_line: 3 }),
    success("File: none.txt (0 lines)\n\n"),
  );
});

Deno.test("3.4.3 the text of edit_file, for an existing file and for a new one", async () => {
  flat().folder.write("edited.txt", "x\n".repeat(42));
  const inserts = [0, 0, 0].map((line) => ({ line, operation: "insert", content: "new" }));
  assertEquals(
    await result("edit_file", { name: "edited.txt", edits: inserts }),
    success("File edited successfully: edited.txt\nLines modified: 3\nTotal lines: 45\nFile created: false"),
  );
  assertEquals(
    await result("edit_file", { name: "newfile.txt", append: "1\n2\n3\n4\n5\n" }),
    success("File edited successfully: newfile.txt\nLines modified: 5\nTotal lines: 5\nFile created: true"),
  );
  assertEquals(
    await result("edit_file", { name: "nothing.txt" }),
    success("File edited successfully: nothing.txt\nLines modified: 0\nTotal lines: 0\nFile created: true"),
  );
});

Deno.test("3.3.1 and 3.4.4 the texts of errors, each in a result with isError", async () => {
  const { folder } = flat();
  folder.write("short.txt", "a\nb\n");
  folder.write("latin1.txt", new Uint8Array([0xe9]));
  folder.write("huge.txt", "x".repeat(11 * 1024 * 1024));
  if (Deno.build.os !== "windows") Deno.symlinkSync("/etc/hostname", `${folder.path}/link.txt`);
  const one = (line: number, operation: string, content?: string) => ({
    edits: [{ line, operation, ...(content === undefined ? {} : { content }) }],
  });
  const cases: [name: "read_file" | "edit_file", args: Record<string, unknown>, text: string][] = [
    ["read_file", { name: "missing.txt" }, "Error: File 'missing.txt' not found"],
    [
      "read_file",
      { name: "short.txt", start_line: 3, end_line: 1 },
      "Error: Invalid line range: start 3 > end 1",
    ],
    ["read_file", { name: "huge.txt" }, "Error: File size 11MB exceeds maximum limit 10MB"],
    ["read_file", { name: "latin1.txt" }, "Error: File contains invalid UTF-8 encoding"],
    ["read_file", { name: "a/b.txt" }, "Error: Invalid filename format"],
    [
      "read_file",
      { name: "short.txt", start_line: -1 },
      "Error: Line numbers must be non-negative integers",
    ],
    ["read_file", { name: "short.txt", start_line: 2 }, "Error: Start line 2 exceeds file length 2"],
    [
      "edit_file",
      { name: "short.txt", ...one(2, "replace", "x") },
      "Error: Line 2 out of range for replace operation",
    ],
    [
      "edit_file",
      { name: "short.txt", ...one(3, "insert", "x") },
      "Error: Line 3 out of range for insert operation",
    ],
    [
      "edit_file",
      { name: "short.txt", ...one(2, "delete") },
      "Error: Line 2 out of range for delete operation",
    ],
    ["edit_file", { name: "short.txt", ...one(0, "swap", "x") }, "Error: Invalid edit operation: swap"],
    [
      "edit_file",
      { name: "short.txt", ...one(0, "delete", "x") },
      "Error: Delete operation cannot specify content",
    ],
    ["edit_file", { name: "../x", append: "x" }, "Error: Invalid filename format"],
    ["edit_file", { name: "latin1.txt", append: "x" }, "Error: File contains invalid UTF-8 encoding"],
  ];
  if (Deno.build.os !== "windows") {
    cases.push(["read_file", { name: "link.txt" }, "Error: Permission denied accessing 'link.txt'"]);
  }
  for (const [name, args, text] of cases) assertEquals(await result(name, args), failure(text));
  assertEquals(folder.read("short.txt"), "a\nb\n");
});
