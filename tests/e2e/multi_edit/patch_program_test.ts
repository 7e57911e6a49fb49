/** The diffs of multi_edit_text_file, judged by the usual program for applying diffs. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { needs } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Arguments, type FieldSurface, multiEdit, SURFACES } from "./fields.ts";

interface Sample {
  content: string;
  edits: Arguments[];
}

/** Texts whose lines are each unique by a number, and edits of some of them, over one line or several. */
function samples(count: number): Sample[] {
  const ending = fc.constantFrom("\n", "\n", "\n", "\r\n");
  const words = fc.constantFrom("", "a", "-- b", "++ c", "@@ d", "\\ No newline", " ü", "\te", "$&");
  const replacement = fc.array(fc.tuple(words, ending).map(([word, end]) => word + end), { maxLength: 3 });
  const edit = fc.record({
    at: fc.nat(29),
    lines: fc.integer({ min: 1, max: 3 }),
    texts: replacement,
    whole: fc.boolean(),
  });
  const sample = fc.record({
    lines: fc.array(fc.tuple(words, ending), { minLength: 1, maxLength: 30 }),
    edits: fc.array(edit, { minLength: 1, maxLength: 5 }),
    ends: fc.boolean(),
  }).map(({ lines, edits, ends }): Sample => {
    const all = lines.map(([word, end], i) => `<${i}>${word}${ends || i < lines.length - 1 ? end : ""}`);
    const taken = new Set<number>();
    const made = edits.flatMap(({ at, lines: count, texts, whole }): Arguments[] => {
      const from = at % all.length;
      const block = all.slice(from, whole ? from + count : from + 1);
      const numbers = block.map((_, i) => from + i);
      if (numbers.some((number) => taken.has(number))) return [];
      for (const number of numbers) taken.add(number);
      const old_string = whole ? block.join("") : `<${from}>`;
      const new_string = whole ? texts.join("") : texts.join("").trimEnd();
      return [{ old_string, new_string }];
    });
    return { content: all.join(""), edits: made };
  });
  return fc.sample(sample, { numRuns: count, seed: 20260102 });
}

/** Calls that are sent before any answer is awaited. */
const AT_ONCE = 50;

/** The diffs come from the same code everywhere; where each call is a commit, fewer of them suffice. */
const COUNTS: Record<string, number> = { roots: 500, workspaces: 100 };

for (const surface of SURFACES) {
  const count = COUNTS[surface.name] ?? 100;
  Deno.test({
    ...needs("patch")(
      `${count} random sets of edits give diffs with which patch makes the new files (${surface.name})`,
    ),
    fn: () => judge(surface, count),
  });
}

async function judge(surface: FieldSurface, count: number): Promise<void> {
  await using field = await surface.start(["--log-level=warn"]);
  using folder = tempFolder();
  const all = samples(count).map((sample, i) => ({ ...sample, name: `f${i}` }));
  let patch = "";
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const answers = all.slice(from, from + AT_ONCE).map(({ name, content, edits }) => {
      folder.write(name, content);
      field.write(name, content);
      return multiEdit(field, { ...field.at(name), edits });
    });
    for (const { result, error } of await Promise.all(answers)) {
      assertEquals(error, undefined);
      patch += result.structuredContent.diff;
    }
  }
  folder.write("all.patch", patch);
  const { success, stdout } = new Deno.Command("patch", {
    args: ["-p0", "--fuzz=0", "--batch", "--binary", "--input=all.patch"],
    cwd: folder.path,
  }).outputSync();
  assert(success, new TextDecoder().decode(stdout));
  assertEquals(folder.names().filter((name) => name.endsWith(".orig") || name.endsWith(".rej")), []);
  let changed = 0;
  for (const { name, content } of all) {
    const now = field.read(name);
    assertEquals(folder.read(name), now, name);
    if (now !== content) changed++;
  }
  assert(changed > 0.8 * count, `only ${changed} of the files were changed at all`);
}
