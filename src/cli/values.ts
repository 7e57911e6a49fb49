/**
 * The kinds of value that a flag, its environment variable and its config file key can have: what each
 * allows, and how its text is parsed. All three share these, so they cannot disagree.
 */

/** A value that passed, perhaps normalised; or why it did not (empty: the allowed text says it all). */
export type Checked<T> = { readonly value: T } | { readonly reason: string };

export type TextCheck = (text: string) => Checked<string>;

export interface ToggleKind {
  readonly type: "toggle";
}
export interface IntegerKind {
  readonly type: "integer";
  readonly min: number;
  readonly max: number;
}
export interface ChoiceKind<C extends string = string> {
  readonly type: "choice";
  readonly choices: readonly C[];
}
export interface TextKind {
  readonly type: "text";
  readonly allowed: string;
  readonly check: TextCheck;
}
/** Several values: separated by commas on the command line, a list in the config file. */
export interface ListKind {
  readonly type: "list";
  readonly allowed: string;
  readonly check: TextCheck;
}

export type ValueKind = ToggleKind | IntegerKind | ChoiceKind | TextKind | ListKind;
export type FlagValue = boolean | number | string | readonly string[];

export type ValueOf<K extends ValueKind> = K extends ToggleKind ? boolean
  : K extends IntegerKind ? number
  : K extends ChoiceKind<infer C> ? C
  : K extends ListKind ? readonly string[]
  : string;

export function toggle(): ToggleKind {
  return { type: "toggle" };
}

export function integer(min: number, max: number): IntegerKind {
  return { type: "integer", min, max };
}

export function choice<const C extends string>(choices: readonly C[]): ChoiceKind<C> {
  return { type: "choice", choices };
}

export function text(allowed: string, check: TextCheck = (value) => ({ value })): TextKind {
  return { type: "text", allowed, check };
}

export function list(allowed: string, check: TextCheck): ListKind {
  return { type: "list", allowed, check };
}

/** What a value of this kind must be, for error messages and help. */
export function allowedText(kind: ValueKind): string {
  switch (kind.type) {
    case "toggle":
      return "true or false";
    case "integer":
      return `a whole number from ${kind.min} to ${kind.max}`;
    case "choice":
      return oneOf(kind.choices);
    case "text":
    case "list":
      return kind.allowed;
  }
}

/** Reads the text of a flag or an environment variable. */
export function readText(kind: ValueKind, given: string): Checked<FlagValue> {
  switch (kind.type) {
    case "toggle":
      return given === "true" || given === "false" ? { value: given === "true" } : { reason: "" };
    case "integer": {
      const number = /^[0-9]{1,15}$/.test(given) ? Number(given) : NaN;
      return number >= kind.min && number <= kind.max ? { value: number } : { reason: "" };
    }
    case "choice":
      return kind.choices.includes(given) ? { value: given } : { reason: "" };
    case "text":
      return kind.check(given);
    case "list":
      return checkItems(kind, given.split(",").map((item) => item.trim()));
  }
}

/** Checks every item of a list and drops repeated ones. */
export function checkItems(kind: ListKind, items: readonly string[]): Checked<readonly string[]> {
  const values = new Set<string>();
  for (const item of items) {
    const checked = item === "" ? { reason: "one of the values is empty" } : kind.check(item);
    if ("reason" in checked) return checked;
    values.add(checked.value);
  }
  return { value: [...values] };
}

/** `a, b or c` */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
