/**
 * A schema: it checks a value, reports all that is wrong with it, and gives the value its type. It does what zod
 * does, in zod's words, as far as tools need it (tests compare the two): loading zod took a quarter of a server's
 * first call, and 9 MB of memory.
 */
import { Findings, type Issue } from "./issue.ts";

/** What a schema makes of a value. */
export type Checked<T> = { value: T; issues?: never } | { value?: never; issues: readonly Issue[] };

/** The type of a value after the check, with defaults. */
export type Output<S extends Schema> = S["outputType"];
/** The type of a value that will pass. */
export type Input<S extends Schema> = S["inputType"];

export type JsonSchema = Record<string, unknown>;

/** A list of arguments or of results, which always have what has a default. */
export interface Listing {
  readonly of: "input" | "output";
  /** Only types, names, choices and defaults: a model pays for every word, and learns of bounds that it exceeds. */
  readonly isBrief: boolean;
  /** What a type that contains itself is called, and what it is. */
  readonly named: Map<string, JsonSchema>;
}

export abstract class Schema<Out = unknown, In = Out> {
  /** Only for the type checker. */
  declare readonly outputType: Out;
  /** Only for the type checker. */
  declare readonly inputType: In;

  /** What a list has about it besides its type. */
  readonly remarks: JsonSchema = {};
  readonly conditions: readonly Condition<Out>[] = [];

  /** The value with its defaults, or whatever, if there are issues. */
  abstract read(given: unknown, findings: Findings): unknown;
  /** Its type in a list, without remarks. */
  protected abstract typeIn(listing: Listing): JsonSchema;

  /** Whether it may be missing from what is given, or from what is made of that. */
  mayLack(_of: Listing["of"]): boolean {
    return false;
  }

  /** The schema without what only says that it may be left out. */
  get inner(): Schema {
    return this as Schema;
  }

  check(given: unknown): Checked<Out> {
    const findings = new Findings();
    const value = this.read(given, findings);
    return findings.issues.length === 0 ? { value: value as Out } : { issues: findings.issues };
  }

  listedIn(listing: Listing): JsonSchema {
    return { ...this.typeIn(listing), ...this.remarks };
  }

  describe(description: string): this {
    return this.remark({ description });
  }

  remark(remarks: JsonSchema): this {
    return this.with({ remarks: { ...this.remarks, ...remarks } });
  }

  /** One more condition, with the words for a value that does not fulfil it. */
  refine(holds: (value: Out) => boolean, message: string): this {
    return this.with({ conditions: [...this.conditions, { holds, message }] });
  }

  optional(): Optional<Out, In> {
    return new Optional(this);
  }

  default(value: In): Default<Out, In> {
    return new Default(this, value);
  }

  nullable(): Nullable<Out, In> {
    return new Nullable(this);
  }

  protected with(changes: object): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this, changes);
  }

  /** Call this with a value that is of the right type. */
  protected tryConditions(value: Out, findings: Findings): void {
    for (const { holds, message } of this.conditions) {
      if (!holds(value)) findings.add({ code: "custom" }, value, message);
    }
  }
}

interface Condition<T> {
  holds(value: T): boolean;
  message: string;
}

/** A schema around another. */
abstract class Wrapper<Out, In, InnerOut, InnerIn> extends Schema<Out, In> {
  readonly wrapped: Schema<InnerOut, InnerIn>;

  constructor(wrapped: Schema<InnerOut, InnerIn>) {
    super();
    this.wrapped = wrapped;
  }

  /** What it says itself comes first, and in place of what the other says. */
  override listedIn(listing: Listing): JsonSchema {
    const own = { ...this.saidIn(listing), ...this.remarks };
    return { ...own, ...this.typeIn(listing), ...own };
  }

  protected saidIn(_listing: Listing): JsonSchema {
    return {};
  }

  protected override typeIn(listing: Listing): JsonSchema {
    return this.wrapped.listedIn(listing);
  }
}

export class Optional<Out, In> extends Wrapper<Out | undefined, In | undefined, Out, In> {
  override read(given: unknown, findings: Findings): unknown {
    return given === undefined ? undefined : this.wrapped.read(given, findings);
  }

  override mayLack(): boolean {
    return true;
  }

  override get inner(): Schema {
    return this.wrapped.inner;
  }
}

export class Default<Out, In> extends Wrapper<Exclude<Out, undefined>, In | undefined, Out, In> {
  readonly value: In;

  constructor(wrapped: Schema<Out, In>, value: In) {
    super(wrapped);
    this.value = value;
  }

  override read(given: unknown, findings: Findings): unknown {
    if (given !== undefined) return this.wrapped.read(given, findings);
    return Array.isArray(this.value) ? [...this.value] : this.value;
  }

  override mayLack(of: Listing["of"]): boolean {
    return of === "input";
  }

  override get inner(): Schema {
    return this.wrapped.inner;
  }

  protected override saidIn({ isBrief }: Listing): JsonSchema {
    const isAssumed = isBrief && this.value === false;
    return isAssumed ? {} : { default: this.value };
  }
}

export class Nullable<Out, In> extends Wrapper<Out | null, In | null, Out, In> {
  override read(given: unknown, findings: Findings): unknown {
    return given === null ? null : this.wrapped.read(given, findings);
  }

  protected override typeIn(listing: Listing): JsonSchema {
    return anyOf([this.wrapped.listedIn(listing), { type: "null" }]);
  }
}

/** One of several types; a list of words where each type is only a word. */
export function anyOf(types: readonly JsonSchema[]): JsonSchema {
  const isPlain = types.every((type) => type.type !== undefined && Object.keys(type).length === 1);
  return isPlain ? { type: [...new Set(types.flatMap(({ type }) => type))] } : { anyOf: types };
}
