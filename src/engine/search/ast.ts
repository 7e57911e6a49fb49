/**
 * A pattern as a tree over code points: what regular expressions and globs are parsed into, and programs are
 * made from. Only whether a text matches is ever asked, so greediness and names of groups are not kept.
 */
import { type Ranges } from "./ranges.ts";

export type Assertion =
  | "text start"
  | "text end"
  | "line start"
  | "line end"
  | "word boundary"
  | "no word boundary";

export type Node =
  | { readonly kind: "empty"; readonly height: number }
  /** One code point out of a set; none at all when the set is empty. */
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
  | { readonly kind: "concat" | "alternate"; readonly height: number; readonly parts: readonly Node[] };

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

/** One after the other. A concatenation inside is taken apart; a row of literals is as high as one. */
export function concat(parts: readonly Node[]): Node {
  const [first] = parts;
  if (first === undefined) return EMPTY;
  if (parts.length === 1) return first;
  const flat = parts.flatMap((part) => part.kind === "concat" ? part.parts : [part]);
  const isString = flat.every((part) => part.kind === "rune" && part.literal);
  return { kind: "concat", height: isString ? 1 : 1 + heightOf(flat), parts: flat };
}

/** One or the other. A choice between single code points is as high as one. */
export function alternate(parts: readonly Node[]): Node {
  const [first] = parts;
  if (first === undefined) return EMPTY;
  if (parts.length === 1) return first;
  const flat = parts.flatMap((part) => part.kind === "alternate" ? part.parts : [part]);
  const isSet = flat.every((part) => part.kind === "rune");
  return { kind: "alternate", height: isSet ? 1 : 1 + heightOf(flat), parts: flat };
}

function heightOf(parts: readonly Node[]): number {
  let height = 0;
  for (const part of parts) height = Math.max(height, part.height);
  return height;
}
