/**
 * Case folding as Go has it: a code point stands for its whole orbit under simple folding, so that `k` also
 * means `K` and the Kelvin sign, and `s` the long ſ. The dotted İ and the dotless ı have no partners.
 */
import { at, lastAtOrBelow, type Ranges, toRanges } from "../bytes/ranges.ts";
import { rangesOf } from "./unicode_classes.ts";

/** The set with every case of its members. */
export function foldCase(ranges: Ranges): Ranges {
  const folded = [...ranges];
  for (let i = 0; i < ranges.length; i += 2) addPartners(at(ranges, i), at(ranges, i + 1), folded);
  return toRanges(folded);
}

const LONG_S = 0x17f;
const KELVIN = 0x212a;

function addPartners(lo: number, hi: number, folded: number[]): void {
  addShifted(lo, hi, { from: 0x41, by: 0x20, folded });
  addShifted(lo, hi, { from: 0x61, by: -0x20, folded });
  if (hasLetter(lo, hi, 0x6b)) folded.push(KELVIN, KELVIN);
  if (hasLetter(lo, hi, 0x73)) folded.push(LONG_S, LONG_S);
  if (hi < 0x80) return;
  const { points, partners } = orbits ??= computeOrbits();
  for (let i = lastAtOrBelow(points, Math.max(lo, 0x80) - 1) + 1; i < points.length; i++) {
    const rune = at(points, i);
    if (rune > hi) break;
    for (const partner of partners.get(rune) ?? []) {
      if (partner < lo || partner > hi) folded.push(partner, partner);
    }
  }
}

/** The letters of one case that lie in lo…hi, moved to the other. */
function addShifted(
  lo: number,
  hi: number,
  { from, by, folded }: { from: number; by: number; folded: number[] },
): void {
  const first = Math.max(lo, from);
  const last = Math.min(hi, from + 25);
  if (first <= last) folded.push(first + by, last + by);
}

function hasLetter(lo: number, hi: number, lower: number): boolean {
  return (lo <= lower && lower <= hi) || (lo <= lower - 0x20 && lower - 0x20 <= hi);
}

interface Orbits {
  /** Everything that has a partner, ascending. */
  points: readonly number[];
  partners: ReadonlyMap<number, readonly number[]>;
}

// A table, computed at its first use and the same for every search.
let orbits: Orbits | undefined;

const DOTTED_I = 0x130;
const DOTLESS_I = 0x131;

function computeOrbits(): Orbits {
  const partners = new Map<number, number[]>();
  const join = (a: number, b: number) => {
    const [one, other] = [partners.get(a) ?? [a], partners.get(b) ?? [b]];
    if (one === other) return;
    const both = [...one, ...other];
    for (const rune of both) partners.set(rune, both);
  };
  const cased = rangesOf("Changes_When_Casemapped");
  for (let i = 0; i < cased.length; i += 2) {
    for (let rune = at(cased, i); rune <= at(cased, i + 1); rune++) {
      if (rune === DOTTED_I || rune === DOTLESS_I) continue;
      const text = String.fromCodePoint(rune);
      for (const mapped of [text.toLowerCase(), text.toUpperCase()]) {
        const other = mapped.codePointAt(0) ?? rune;
        if (mapped.length === (other > 0xffff ? 2 : 1)) join(rune, other); // simple mappings only
      }
    }
  }
  const points = [...partners.keys()].filter((rune) => (partners.get(rune)?.length ?? 0) > 1);
  return { points: points.sort((a, b) => a - b), partners };
}
