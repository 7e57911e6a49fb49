/** Schemas of values with parts: lists, objects, and what is one of several types. */
import { Findings, type Issue } from "./issue.ts";
import { anyOf, type Input, type JsonSchema, type Listing, type Output, Schema } from "./schema.ts";

export class List<Item extends Schema = Schema> extends Schema<Output<Item>[], Input<Item>[]> {
  readonly item: Item;
  readonly least: number | undefined;
  readonly most: number | undefined;

  constructor(item: Item) {
    super();
    this.item = item;
  }

  min(least: number): this {
    return this.with({ least });
  }

  max(most: number): this {
    return this.with({ most });
  }

  override read(given: unknown, findings: Findings): unknown {
    if (!Array.isArray(given)) {
      findings.add({ code: "invalid_type", expected: "array" }, given);
      return given;
    }
    const { least, most } = this;
    if (most !== undefined && given.length > most) { // and then nobody looks at a million items
      findings.add({ code: "too_big", origin: "array", maximum: most }, given);
      return given;
    }
    const items: unknown[] = given.map((item, i) => {
      findings.enter(i);
      const read = this.item.read(item, findings);
      findings.leave();
      return read;
    });
    if (least !== undefined && given.length < least) {
      findings.add({ code: "too_small", origin: "array", minimum: least }, given);
    }
    return items;
  }

  protected override typeIn(listing: Listing): JsonSchema {
    const { least, most } = this;
    const items = this.item.listedIn(listing);
    if (listing.isBrief) return { type: "array", items };
    return {
      ...(least !== undefined && { minItems: least }),
      ...(most !== undefined && { maxItems: most }),
      type: "array",
      items,
    };
  }
}

export type Fields = Readonly<Record<string, Schema>>;

type OptionalKeys<F extends Fields, Side extends "outputType" | "inputType"> = {
  [K in keyof F]: undefined extends F[K][Side] ? K : never;
}[keyof F];

type Sides<F extends Fields, Side extends "outputType" | "inputType"> = Flat<
  & { -readonly [K in Exclude<keyof F, OptionalKeys<F, Side>>]: F[K][Side] }
  & { -readonly [K in OptionalKeys<F, Side>]?: F[K][Side] }
>;

type Flat<T> = { [K in keyof T]: T[K] };

/** What becomes of fields that are not in the schema. */
export type Others = "refused" | "dropped" | "kept";

export class Fielded<F extends Fields = Fields>
  extends Schema<Sides<F, "outputType">, Sides<F, "inputType">> {
  readonly fields: F;
  readonly others: Others;

  constructor(fields: F, others: Others) {
    super();
    this.fields = fields;
    this.others = others;
  }

  /** The same with more fields, or others in place of some. */
  extend<More extends Fields>(more: More): Fielded<Flat<Omit<F, keyof More> & More>> {
    return new Fielded({ ...this.fields, ...more } as Flat<Omit<F, keyof More> & More>, this.others);
  }

  override read(given: unknown, findings: Findings): unknown {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      findings.add({ code: "invalid_type", expected: "object" }, given);
      return given;
    }
    const source = given as Record<string, unknown>;
    const read: Record<string, unknown> = {};
    for (const name in this.fields) {
      const field = this.fields[name] as Schema;
      const isGiven = Object.hasOwn(source, name);
      findings.enter(name);
      const value = field.read(isGiven ? source[name] : undefined, findings);
      findings.leave();
      if (isGiven || value !== undefined) read[name] = value;
    }
    if (this.others === "dropped") return read;
    const others = Object.keys(source).filter((name) => !Object.hasOwn(this.fields, name));
    if (this.others === "kept") { for (const name of others) setOwn(read, name, source[name]); }
    else if (others.length > 0) findings.add({ code: "unrecognized_keys", keys: others }, given);
    return read;
  }

  protected override typeIn(listing: Listing): JsonSchema {
    const fields = Object.entries(this.fields);
    const required = fields.filter(([, field]) => !field.mayLack(listing.of)).map(([name]) => name);
    const isClosed = this.others === "refused" || (this.others === "dropped" && listing.of === "output");
    return {
      type: "object",
      properties: Object.fromEntries(fields.map(([name, field]) => [name, field.listedIn(listing)])),
      ...(required.length > 0 && { required }),
      ...(isClosed
        ? { additionalProperties: false }
        : this.others === "kept" && { additionalProperties: {} }),
    };
  }
}

/** An object whose fields have any names, and all the same type. */
export class Named<Value extends Schema>
  extends Schema<Record<string, Output<Value>>, Record<string, Input<Value>>> {
  readonly value: Value;

  constructor(value: Value) {
    super();
    this.value = value;
  }

  override read(given: unknown, findings: Findings): unknown {
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      findings.add({ code: "invalid_type", expected: "record" }, given);
      return given;
    }
    const read: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(given)) {
      findings.enter(name);
      setOwn(read, name, this.value.read(value, findings));
      findings.leave();
    }
    return read;
  }

  protected override typeIn(listing: Listing): JsonSchema {
    return {
      type: "object",
      propertyNames: { type: "string" },
      additionalProperties: this.value.listedIn(listing),
    };
  }
}

/** The first of several types that a value has. */
export class Either<Option extends Schema> extends Schema<Output<Option>, Input<Option>> {
  readonly options: readonly Option[];

  constructor(options: readonly Option[]) {
    super();
    this.options = options;
  }

  override read(given: unknown, findings: Findings): unknown {
    const near: Findings[] = [];
    for (const option of this.options) {
      const tried = new Findings();
      const value = option.read(given, tried);
      if (tried.issues.length === 0) return value;
      if (tried.issues.every(isOfRightType)) near.push(tried);
    }
    const [meant] = near;
    if (meant !== undefined && near.length === 1) findings.addAll(meant);
    else findings.add({ code: "invalid_union" }, given);
    return given;
  }

  protected override typeIn(listing: Listing): JsonSchema {
    return anyOf(this.options.map((option) => option.listedIn(listing)));
  }
}

/** Whether the value has the type that was asked for, and only exceeds its bounds. */
function isOfRightType({ code }: Issue): boolean {
  return code === "too_small" || code === "too_big" || code === "invalid_format" || code === "custom";
}

/** A type that contains itself, by its name. */
export class Recursive<T> extends Schema<T> {
  readonly name: string;
  readonly whole: Schema;

  constructor(name: string, make: (self: Schema<T>) => Schema) {
    super();
    this.name = name;
    this.whole = make(this);
  }

  override read(given: unknown, findings: Findings): unknown {
    return this.whole.read(given, findings);
  }

  protected override typeIn(listing: Listing): JsonSchema {
    if (!listing.named.has(this.name)) {
      listing.named.set(this.name, {}); // before it is listed, because it contains itself
      listing.named.set(this.name, this.whole.listedIn(listing));
    }
    return { $ref: `#/$defs/${this.name}` };
  }
}

/** A field called `__proto__` must not become the object's prototype. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}
