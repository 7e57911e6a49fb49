/**
 * A pattern as a tree over code points: what regular expressions and globs are parsed into, and programs are
 * made from. Only whether a text matches is ever asked, so greediness and names of groups are not kept.
 */
import type { Ranges } from "../bytes/ranges.ts";

export type Assertion =
  | "text start"
  | "text end"
  | "line start"
  | "line end"
  | "word boundary"
  | "no word boundary";

export type Node =
  | { readonly kind: "empty"; readonly height: number }
  /** One code point out of a set; never matches if the set is empty. */
  | { readonly kind: "rune"; readonly height: number; readonly ranges: Ranges; readonly literal: boolean }
  | { readonly kind: "assertion"; readonly height: number; readonly what: Assertion }
  | { readonly kind: "group"; readonly height: number; readonly part: Node }
  | {
    readonly kind: "repeat";
    readonly height: number;
    readonly part: Node;
    readonly min: number;
    /** Infinity when there is no limit. */
    readonly max: number;
    /** Whether the counts were given as numbers. */
    readonly counted: boolean;
  }
  | Series;

/** Parts one after the other, or one or the other. `partsOf` gives them with those of series inside it. */
export interface Series {
  readonly kind: "concat" | "alternate";
  readonly height: number;
  readonly parts: readonly Node[];
  /** The height of the tallest of its parts. */
  readonly tallest: number;
  /** Whether it is a row of literals, or a choice between single code points: then it is as high as one. */
  readonly isPlain: boolean;
}

export const EMPTY: Node = { kind: "empty", height: 1 };

export function rune(ranges: Ranges, literal = false): Node {
  return { kind: "rune", height: 1, ranges, literal };
}

export function assertion(what: Assertion): Node {
  return { kind: "assertion", height: 1, what };
}

/** A capturing group: it counts in the height as it does in Go, and otherwise means its part. */
export function group(part: Node): Node {
  return { kind: "group", height: part.height + 1, part };
}

export function repeat(part: Node, { min, max, counted = false }: RepeatOptions): Node {
  return { kind: "repeat", height: part.height + 1, part, min, max, counted };
}

export interface RepeatOptions {
  min: number;
  max: number;
  counted?: boolean;
}

/** One after the other. */
export function concat(parts: readonly Node[]): Node {
  return series("concat", parts);
}

/** One or the other. */
export function alternate(parts: readonly Node[]): Node {
  return series("alternate", parts);
}

/**
 * The parts of a series, with the parts of a series of the same kind in its place. Series inside series are not
 * copied into one another when they are made: a thousand of them would make a million copies.
 */
export function partsOf(series: Series): Node[] {
  const parts: Node[] = [];
  const left: Node[] = [series];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.kind === series.kind) {
      for (let i = node.parts.length - 1; i >= 0; i--) left.push(node.parts[i] ?? EMPTY);
    } else parts.push(node);
  }
  return parts;
}

function series(kind: Series["kind"], parts: readonly Node[]): Node {
  const [first] = parts;
  if (first === undefined) return EMPTY;
  if (parts.length === 1) return first;
  let tallest = 0;
  let isPlain = true;
  for (const part of parts) {
    const isSame = part.kind === kind;
    tallest = Math.max(tallest, isSame ? part.tallest : part.height);
    isPlain &&= isSame ? part.isPlain : part.kind === "rune" && (kind === "alternate" || part.literal);
  }
  return { kind, height: isPlain ? 1 : 1 + tallest, parts, tallest, isPlain };
}
