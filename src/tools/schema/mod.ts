/**
 * Schemas of arguments and results, in the manner of zod: `s.object({ path: s.string().optional() })`. Used as a
 * namespace: `import * as s from "…/schema/mod.ts"`.
 */
import type { Choice } from "./issue.ts";
import { Either, Fielded, type Fields, List, Named, Recursive } from "./parts.ts";
import { Flag, Numeric, OneOf, type OneOfOptions, Text } from "./scalars.ts";
import type { JsonSchema, Listing, Output, Schema } from "./schema.ts";

export type { Issue, Path } from "./issue.ts";
export { Fielded, type Fields, List } from "./parts.ts";
export { Flag, Numeric } from "./scalars.ts";
export { type Checked, type Input, type JsonSchema, type Output, Schema } from "./schema.ts";

export function string(): Text {
  return new Text();
}

export function number(): Numeric {
  return new Numeric({ isWhole: false });
}

/** A whole number, exact as a double. */
export function int(): Numeric {
  return new Numeric({ isWhole: true });
}

export function boolean(): Flag {
  return new Flag();
}

export function literal<const T extends Choice>(value: T): OneOf<T> {
  return new OneOf([value], { isConstant: true });
}

export function choice<const T extends string>(
  values: readonly T[],
  options: Pick<OneOfOptions, "wording"> = {},
): OneOf<T> {
  return new OneOf(values, options);
}

export function array<Item extends Schema>(item: Item): List<Item> {
  return new List(item);
}

/** Other fields are dropped. */
export function object<F extends Fields>(fields: F): Fielded<F> {
  return new Fielded(fields, "dropped");
}

/** Other fields are a mistake. */
export function strictObject<F extends Fields>(fields: F): Fielded<F> {
  return new Fielded(fields, "refused");
}

/** Other fields are kept as they are. */
export function looseObject<F extends Fields>(fields: F): Fielded<F> {
  return new Fielded(fields, "kept");
}

export function record<Value extends Schema>(value: Value): Named<Value> {
  return new Named(value);
}

export function union<const Options extends readonly Schema[]>(options: Options): Either<Options[number]> {
  return new Either(options);
}

/** A type that contains itself; the name is for lists. */
export function recursive<T>(name: string, make: (self: Schema<T>) => Schema): Schema<T> {
  return new Recursive(name, make);
}

/** A schema as JSON Schema. */
export function jsonSchema(schema: Schema, of: Listing["of"], { isBrief = false } = {}): JsonSchema {
  const named: Listing["named"] = new Map();
  const listed = schema.listedIn({ of, isBrief, named });
  return named.size === 0 ? listed : { ...listed, $defs: Object.fromEntries(named) };
}

/** The value that a schema makes of another; throws what is wrong with it. */
export function parsed<S extends Schema>(schema: S, given: unknown): Output<S> {
  const { value, issues } = schema.check(given);
  if (issues === undefined) return value;
  throw new TypeError(issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));
}
