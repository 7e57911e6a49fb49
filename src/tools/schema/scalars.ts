/** Schemas of values that have no parts. */
import type { Choice, Findings } from "./issue.ts";
import { type JsonSchema, type Listing, Schema } from "./schema.ts";

/** A text; its length is counted in UTF-16 units. */
export class Text extends Schema<string> {
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly pattern: { expression: RegExp; message: string } | undefined;

  min(least: number): this {
    return this.with({ least });
  }

  max(most: number): this {
    return this.with({ most });
  }

  /** Only for patterns of ours: one that a client gave could take for ever. */
  regex(
    expression: RegExp,
    message = `Invalid string: must match pattern ${expression}`,
  ): this {
    return this.with({ pattern: { expression, message } });
  }

  override read(given: unknown, findings: Findings): unknown {
    if (typeof given !== "string") {
      findings.add({ code: "invalid_type", expected: "string" }, given);
      return given;
    }
    const { least, most, pattern } = this;
    if (least !== undefined && given.length < least) {
      findings.add({ code: "too_small", origin: "string", minimum: least }, given);
    }
    if (most !== undefined && given.length > most) {
      findings.add({ code: "too_big", origin: "string", maximum: most }, given);
    }
    if (pattern !== undefined && !pattern.expression.test(given)) {
      findings.add({ code: "invalid_format" }, given, pattern.message);
    }
    this.tryConditions(given, findings);
    return given;
  }

  protected override typeIn({ isBrief }: Listing): JsonSchema {
    const { least, most, pattern } = this;
    if (isBrief) return { type: "string" };
    return {
      type: "string",
      ...(least !== undefined && { minLength: least }),
      ...(most !== undefined && { maxLength: most }),
      ...(pattern !== undefined && { pattern: pattern.expression.source }),
    };
  }
}

/** A number, or only whole ones that are exact. */
export class Numeric extends Schema<number> {
  readonly isWhole: boolean;
  readonly least: number | undefined;
  readonly most: number | undefined;

  constructor({ isWhole }: { isWhole: boolean }) {
    super();
    this.isWhole = isWhole;
  }

  min(least: number): this {
    return this.with({ least });
  }

  max(most: number): this {
    return this.with({ most });
  }

  override read(given: unknown, findings: Findings): unknown {
    if (typeof given !== "number" || !Number.isFinite(given)) {
      findings.add({ code: "invalid_type", expected: "number" }, given);
      return given;
    }
    if (this.isWhole && !Number.isInteger(given)) {
      findings.add({ code: "invalid_type", expected: "int" }, given);
      return given;
    }
    if (this.isWhole && !Number.isSafeInteger(given)) findings.add(inexact(given), given);
    const { least, most } = this;
    if (least !== undefined && given < least) {
      findings.add({ code: "too_small", origin: "number", minimum: least }, given);
    }
    if (most !== undefined && given > most) {
      findings.add({ code: "too_big", origin: "number", maximum: most }, given);
    }
    this.tryConditions(given, findings);
    return given;
  }

  protected override typeIn({ isBrief }: Listing): JsonSchema {
    const { isWhole, least, most } = this;
    const type = isWhole ? "integer" : "number";
    if (isBrief) return { type };
    return {
      type,
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
    };
  }
}

function inexact(given: number) {
  return given > 0
    ? { code: "too_big", origin: "int", maximum: Number.MAX_SAFE_INTEGER } as const
    : { code: "too_small", origin: "int", minimum: Number.MIN_SAFE_INTEGER } as const;
}

export class Flag extends Schema<boolean> {
  override read(given: unknown, findings: Findings): unknown {
    if (typeof given !== "boolean") findings.add({ code: "invalid_type", expected: "boolean" }, given);
    return given;
  }

  protected override typeIn(): JsonSchema {
    return { type: "boolean" };
  }
}

export interface OneOfOptions {
  /** Whether there is only one value, which is a constant and not a choice. */
  isConstant?: boolean;
  /** The words for another value. */
  wording?: ((given: unknown) => string) | undefined;
}

/** One of a few values. */
export class OneOf<const T extends Choice> extends Schema<T> {
  readonly options: readonly T[];
  readonly isConstant: boolean;
  readonly wording: OneOfOptions["wording"];

  constructor(options: readonly T[], { isConstant = false, wording }: OneOfOptions = {}) {
    super();
    this.options = options;
    this.isConstant = isConstant;
    this.wording = wording;
  }

  override read(given: unknown, findings: Findings): unknown {
    if (!(this.options as readonly unknown[]).includes(given)) {
      findings.add({ code: "invalid_value", values: this.options }, given, this.wording?.(given));
    }
    return given;
  }

  protected override typeIn(): JsonSchema {
    const [first] = this.options;
    return { type: typeof first, ...(this.isConstant ? { const: first } : { enum: [...this.options] }) };
  }
}
