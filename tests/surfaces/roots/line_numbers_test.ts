/** What a line is: the same to every tool, whatever endings and lone CRs a file has. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { tempFolder } from "../../support/temp.ts";
import { root, rootsSurface } from "./setup.ts";

const TEXT = "one\rtwo\r\nthree\r\r\n\rneedle\nfive\rsix\n";

function field(text: string) {
  const folder = tempFolder();
  folder.write("f.txt", text);
  const { call } = rootsSurface([root("r", folder.path)]);
  return {
    ...folder,
    // deno-lint-ignore no-explicit-any
    value: async (tool: string, args: Record<string, unknown>): Promise<any> => {
      const { structuredContent, content } = await call(tool, { root: "r", ...args });
      return structuredContent ?? content[0]?.text;
    },
  };
}

Deno.test("read_file, grep, patch_file and multi_edit_text_file mean the same line when there are lone CRs", async () => {
  using folder = field(TEXT);
  const { matches: [match] } = await folder.value("grep", { pattern: "needle" });
  assertEquals([match.line_number, match.line_content], [3, "\rneedle"]);
  const path = "f.txt";
  const line = await folder.value("read_file", { path, offset_lines: match.line_number, limit_lines: 1 });
  assertEquals([line.content, line.lines_total], ["\rneedle\n", 4]);
  const edits = [{ old_string: "needle", new_string: "pin" }];
  const edited = await folder.value("multi_edit_text_file", { path, edits, dry_run: true });
  assertEquals(edited.line_ranges, [{ edit_index: 0, start: 3, end: 3 }]);
  const { offsets } = await folder.value("patch_file", { path, patch: edited.diff });
  assertEquals([offsets, folder.read(path)], [[0], TEXT.replace("needle", "pin")]);
});

Deno.test("read_file returns the line that grep found, for every mixture of endings", async () => {
  const piece = fc.constantFrom("\r", "\n", "\r\n", "a", "b", "x");
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
      using folder = field(pieces.join(""));
      const { matches } = await folder.value("grep", { pattern: "x" });
      for (const { line_number, line_content } of matches) {
        const args = { path: "f.txt", offset_lines: line_number, limit_lines: 1 };
        const { content } = await folder.value("read_file", args);
        assertEquals(content.replace(/\r?\n$/, ""), line_content);
      }
    }),
    { numRuns: 40 },
  );
});
