import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { applyStringEdits, type StringEdit, StringEditError } from "../../src/text/string_edits.ts";

/** One character, or one line break. `by` has the edits whose text it is part of. */
interface Token {
  raw: string;
  by: Set<number>;
}

const tokensOf = (text: string) => text.match(/\r\n|[^]/g) ?? [];
const isBreak = (raw: string) => raw === "\n" || raw === "\r\n"; // a lone CR is a character

/** The rules, implemented token by token; the code of the refusal if they refuse. */
function model(text: string, edits: readonly StringEdit[]) {
  let staged: Token[] = tokensOf(text).map((raw) => ({ raw, by: new Set() }));
  const ranges: [start: number, end: number][] = [];
  for (const [index, { oldText, newText }] of edits.entries()) {
    const old = tokensOf(oldText);
    const isExact = oldText.includes("\r");
    const fits = (at: number) =>
      old.every((raw, i) => {
        const there = staged[at + i]?.raw;
        return there === raw || (!isExact && raw === "\n" && there !== undefined && isBreak(there));
      });
    const places = [];
    for (let at = 0; at + old.length <= staged.length; at++) if (fits(at)) places.push(at);
    if (places.length === 0) return [-32010, index];
    if (places.length > 1) return [-32011, index, places.length];
    const start = places[0] ?? 0;
    const match = staged.slice(start, start + old.length);

    const inherited: number[] = [];
    for (let prior = 0; prior < index; prior++) {
      const all = staged.filter(({ by }) => by.has(prior)).length;
      const within = match.filter(({ by }) => by.has(prior)).length;
      if (within === 0 || within === all) continue;
      if (within < match.length) return [-32012, index, prior];
      inherited.push(prior);
    }
    const before = staged.slice(0, start);
    const after = staged.slice(start + old.length);
    const breaksOf = (tokens: Token[]) => tokens.map(({ raw }) => raw).filter(isBreak);
    const models = [breaksOf(match), breaksOf(after).slice(0, 1), breaksOf(before).slice(-1), ["\n"]]
      .find(({ length }) => length > 0) ?? [];
    let seen = 0;
    const put = tokensOf(newText).map((raw): Token => {
      const model = isBreak(raw) ? models[seen++] ?? models.at(-1) : undefined;
      const by = new Set([...inherited, index]);
      return { raw: raw === "\n" && !isExact && model !== undefined ? model : raw, by };
    });
    const first = breaksOf(before).length + 1;
    ranges.push([first, first + breaksOf(match.slice(0, -1)).length]);
    staged = [...before, ...put, ...after];
  }
  return { text: staged.map(({ raw }) => raw).join(""), ranges };
}

function attempt(text: string, edits: readonly StringEdit[]) {
  try {
    const result = applyStringEdits(text, edits);
    return { text: result.text, ranges: result.lineRanges.map(({ start, end }) => [start, end]) };
  } catch (error) {
    if (!(error instanceof StringEditError)) throw error;
    const { edit_index, count, prior_index } = error.data ?? {};
    return [error.rpcCode, edit_index, count ?? prior_index].filter((fact) => fact !== undefined);
  }
}

const letters = fc.constantFrom(..."abcdefgh$");
const breaks = fc.constantFrom("\n", "\n", "\r\n", "\r");
const words = (maxLength: number) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: letters }, breaks), { maxLength }).map((parts) => parts.join(""));

/** Edits whose old text is often there: a piece of the text, or of what was inserted by then. */
const aCase = fc.tuple(
  words(16),
  fc.array(fc.tuple(fc.nat(), fc.nat(3), words(4), words(4)), { maxLength: 6 }),
)
  .map(([text, seeds]) => {
    let likely = text;
    const edits = seeds.map(([from, length, given, newText], i): StringEdit => {
      const at = likely.length === 0 ? 0 : from % likely.length;
      const piece = likely.slice(at, at + length + 1);
      const oldText = i % 4 === 3 || piece === "" ? given : piece;
      likely = likely.replace(oldText, () => newText);
      return { oldText: from % 3 === 0 ? oldText.replaceAll("\r\n", "\n") : oldText, newText };
    });
    return { text, edits };
  });

Deno.test("applyStringEdits agrees with the rules for every text and edits", () => {
  const seen = new Set<number>();
  fc.assert(
    fc.property(aCase, ({ text, edits }) => {
      if (edits.length === 0) return;
      const result = attempt(text, edits);
      assertEquals(result, model(text, edits));
      seen.add(Array.isArray(result) ? result[0] as number : 0);
    }),
    { numRuns: 5000 },
  );
  assertEquals([...seen].sort(), [-32010, -32011, -32012, 0], "every outcome came up");
});

Deno.test("applyStringEdits leaves the text around a place as it is, to the last code unit", () => {
  const units = fc.oneof(fc.nat(0xffff), fc.constantFrom(0x0a, 0x0d, 0xfeff, 0xd83d, 0x2028)).filter((unit) =>
    unit !== 0xe000
  );
  const any = fc.array(units).map((codes) => String.fromCharCode(...codes));
  fc.assert(fc.property(any, any, any, (before, put, after) => {
    const newText = `x$&${put.replaceAll(/[\r\n]/g, "")}`;
    const result = applyStringEdits(`${before}\ue000${after}`, [{ oldText: "\ue000", newText }]);
    assertEquals(result.text, before + newText + after);
  }));
});
