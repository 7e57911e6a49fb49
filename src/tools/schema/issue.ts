/** What is wrong with a value, in a form from which every surface makes its own words. */

export type Path = readonly PropertyKey[];

/** The kinds of issue, with what was expected. */
export type Wrong =
  | { code: "invalid_type"; expected: ExpectedType }
  | { code: "invalid_value"; values: readonly Choice[] }
  | { code: "too_small"; origin: Measured; minimum: number }
  | { code: "too_big"; origin: Measured; maximum: number }
  | { code: "invalid_format" | "invalid_union" | "custom" }
  | { code: "unrecognized_keys"; keys: readonly string[] };

export type ExpectedType = "string" | "number" | "int" | "boolean" | "array" | "object" | "record";

/** A value that can be one of a few. */
export type Choice = string | number | boolean;

/** What has a size. */
export type Measured = "string" | "array" | "number" | "int";

export type Issue = Wrong & {
  readonly path: Path;
  /** In plain words, as clients of the official server know them, or in the schema's own. */
  readonly message: string;
};

/** Collects the issues of one value while it is checked. */
export class Findings {
  readonly issues: Issue[] = [];
  readonly #path: PropertyKey[] = [];

  /** From here until `leave`, it is about what is inside the value, under this name or number. */
  enter(part: PropertyKey): void {
    this.#path.push(part);
  }

  leave(): void {
    this.#path.pop();
  }

  /** What was found on its own, as if it had been found here. */
  addAll({ issues }: Findings): void {
    for (const issue of issues) this.issues.push({ ...issue, path: [...this.#path, ...issue.path] });
  }

  add(wrong: Wrong, given: unknown, message = messageFor(wrong, given)): void {
    this.issues.push({ ...wrong, path: [...this.#path], message });
  }
}

function messageFor(wrong: Wrong, given: unknown): string {
  switch (wrong.code) {
    case "invalid_type":
      return `Invalid input: expected ${wrong.expected}, received ${typeName(given)}`;
    case "invalid_value":
      return wrong.values.length === 1
        ? `Invalid input: expected ${shown(wrong.values[0])}`
        : `Invalid option: expected one of ${wrong.values.map(shown).join("|")}`;
    case "too_small":
      return `Too small: expected ${wrong.origin} ${measure(wrong, `>=${wrong.minimum}`)}`;
    case "too_big":
      return `Too big: expected ${wrong.origin} ${measure(wrong, `<=${wrong.maximum}`)}`;
    case "unrecognized_keys":
      return `Unrecognized key${wrong.keys.length > 1 ? "s" : ""}: ${wrong.keys.map(shown).join(", ")}`;
    default:
      return "Invalid input";
  }
}

const UNITS: Partial<Record<Measured, string>> = { string: "characters", array: "items" };

function measure({ origin }: { origin: Measured }, size: string): string {
  const unit = UNITS[origin];
  return unit === undefined ? `to be ${size}` : `to have ${size} ${unit}`;
}

function typeName(value: unknown): string {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}
