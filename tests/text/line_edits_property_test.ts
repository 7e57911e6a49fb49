import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { PaddockError } from "../../src/base/errors.ts";
import { applyLineEdits, type LineEdit } from "../../src/text/line_edits.ts";
import { countLines, detectEnding, splitLines, stripBom } from "../../src/text/lines.ts";

const broken = fc.array(fc.constantFrom("\r", "\n", "\r\n", "a", "b", "é", "$&"), { maxLength: 12 }).map((
  parts,
) => parts.join(""));
const file = fc.tuple(fc.constantFrom("", "\uFEFF"), broken).map(([bom, body]) => bom + body);
const anEdit: fc.Arbitrary<LineEdit> = fc.oneof(
  fc.record({ line: fc.nat(12), operation: fc.constant("delete") }),
  fc.record({ line: fc.nat(12), operation: fc.constantFrom("replace", "insert"), content: broken }),
);
const someEdits = fc.array(anEdit, { maxLength: 7 });

interface ModelLine {
  content: string;
  ending: string;
  /** The index of an untouched line of the original. */
  old?: number;
}

/** The rules, implemented literally and without regard to speed; undefined if they refuse. */
function model(text: string, edits: readonly LineEdit[], append: string) {
  const { bom, body } = stripBom(text);
  const hasBreak = /[\r\n]/.test(body);
  const usual = detectEnding(
    hasBreak ? body : [...edits.map((edit) => edit.content ?? ""), append].join(" "),
  );
  const lines: ModelLine[] = splitLines(body).map((line, old) => ({ ...line, old }));
  const length = lines.length;
  const last = lines.at(-1);
  const isUnended = last?.ending === "";
  if (last !== undefined && isUnended) last.ending = usual;

  const toLines = (content = ""): ModelLine[] => {
    const parts = content === "" ? [{ content: "" }] : splitLines(content);
    return parts.map((part) => ({ content: part.content, ending: usual }));
  };
  let modified = 0;
  for (let line = 15; line >= 0; line--) {
    const changes = edits.filter((edit) => edit.line === line && edit.operation !== "insert");
    if (changes.length > 1 || (changes.length === 1 && line >= length)) return undefined;
    for (const { operation, content } of changes) {
      const made = operation === "delete" ? [] : toLines(content);
      const [gone] = lines.splice(line, 1, ...made);
      const final = made.at(-1);
      if (final !== undefined && gone !== undefined) final.ending = gone.ending;
      modified += Math.max(1, made.length);
    }
    if (line > length) continue;
    const made = edits.filter((edit) => edit.line === line && edit.operation === "insert")
      .flatMap((edit) => toLines(edit.content));
    lines.splice(line, 0, ...made);
    modified += made.length;
  }
  for (let line = length + 1; line < 15; line++) {
    const here = edits.filter((edit) => edit.line === line && edit.operation === "insert");
    if (here.length > 0 && line > lines.length) return undefined;
    const made = here.flatMap((edit) => toLines(edit.content));
    lines.splice(line, 0, ...made);
    modified += made.length;
  }
  const end = lines.at(-1);
  if (isUnended && append === "" && end !== undefined && end.content !== "") {
    if (end.old === undefined || end.old === length - 1) end.ending = "";
  }
  const pieces = lines.map(({ content, ending }) => content + ending);
  const added = hasBreak ? append.replaceAll(/\r\n|\r|\n/g, usual) : append;
  const joined = [...pieces, added].reduce((all, piece) => {
    return all.endsWith("\r") && piece.startsWith("\n") ? `${all}\n${piece}` : all + piece;
  }, "");
  return { text: bom + joined, linesModified: modified + countLines(append), totalLines: countLines(joined) };
}

function attempt(text: string, edits: readonly LineEdit[], append: string) {
  try {
    return applyLineEdits(text, { edits, append });
  } catch (error) {
    if (error instanceof PaddockError) return undefined;
    throw error;
  }
}

/** What chance has found once. */
const FOUND: [file: string, edits: LineEdit[], append: string][] = [
  ["\r\r\r\ra\n\r", [
    { line: 7, operation: "insert", content: "" },
    { line: 12, operation: "replace", content: "\r\r\r\r\r" },
    { line: 0, operation: "delete" },
  ], ""],
];

Deno.test("applyLineEdits agrees with the rules for every file and edits", () => {
  fc.assert(
    fc.property(file, someEdits, fc.oneof(fc.constant(""), broken), (text, edits, append) => {
      // Mostly lines that exist, or exist by then.
      const near = edits.map((edit) => ({ ...edit, line: edit.line % (countLines(text) + 2) }));
      assertEquals(attempt(text, near, append), model(text, near, append));
    }),
    { numRuns: 3000, examples: FOUND },
  );
});

Deno.test("applyLineEdits keeps the bytes of every line that no edit touches", () => {
  const lines = fc.array(
    fc.tuple(fc.constantFrom("a", "é", "", "x\u2028y"), fc.constantFrom("\n", "\r\n", "\r")),
    { minLength: 1, maxLength: 12 },
  ).map((pairs) => splitLines(pairs.map((pair) => pair.join("")).join("")));
  fc.assert(fc.property(lines, fc.array(fc.tuple(fc.nat(11), fc.nat(2))), (original, picks) => {
    const touched = new Map(picks.filter(([line]) => line < original.length));
    const edits = [...touched].map(([line, kind]): LineEdit =>
      kind === 0
        ? { line, operation: "delete" }
        : { line, operation: kind === 1 ? "replace" : "insert", content: "NEW" }
    );
    const text = original.map(({ content, ending }) => content + ending).join("");
    const kept = original.map(({ content, ending }) => content + ending).filter((_, i) =>
      touched.get(i) === undefined || touched.get(i) === 2
    );
    const result = splitLines(applyLineEdits(text, { edits }).text).filter(({ content }) =>
      content !== "NEW"
    );
    // The one exception is a lone CR that is now followed by an LF: it becomes a CRLF.
    const seam = (lines: string[]) =>
      lines.map((line, i) => lines[i + 1]?.startsWith("\n") ? line.replace(/\r$/, "\r\n") : line);
    assertEquals(seam(result.map(({ content, ending }) => content + ending)), seam(kept));
  }));
});
