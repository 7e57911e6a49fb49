/**
 * Accepts deviations from the schema that can mean only one thing: null for an omitted optional argument, "1"
 * for 1, "true" for true, a list as its JSON text, and `old_text` for `oldText` or the reverse. Everything
 * else is left to the argument check.
 */
import { jsonPartsOf, MOST_PARTS } from "../base/json_size.ts";
import * as s from "./schema/mod.ts";

type Field = s.Schema;

/** The arguments as they were meant; the same object if there is nothing to correct. */
export function meantArguments(schema: s.Fielded, given: unknown): unknown {
  return isObject(given) ? meantObject(schema, given, { parts: MOST_PARTS }) : given;
}

/** How many more parts the lists of one call may have that are given as JSON text. */
interface Room {
  parts: number;
}

function meantObject(
  schema: s.Fielded,
  given: Record<string, unknown>,
  room: Room,
): Record<string, unknown> {
  let changed: Record<string, unknown> | undefined;
  for (const [written, value] of Object.entries(given)) {
    const name = meantName(schema, given, written);
    if (name !== written) {
      changed ??= { ...given };
      delete changed[written];
      changed[name] = value;
    }
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined;
    if (field === undefined) continue;
    const isAbsent = value === null && field.mayLack("input");
    const meant = isAbsent ? undefined : meantValue(field.inner, value, room);
    if (meant === value) continue;
    changed ??= { ...given };
    if (isAbsent) delete changed[name];
    else changed[name] = meant;
  }
  return changed ?? given;
}

/** The name in the other naming style, if only that one is in the schema and it is not given as well. */
function meantName(schema: s.Fielded, given: Record<string, unknown>, written: string): string {
  if (Object.hasOwn(schema.fields, written)) return written;
  const other = written.includes("_")
    ? written.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : written.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.hasOwn(schema.fields, other) && !Object.hasOwn(given, other) ? other : written;
}

function meantValue(field: Field, value: unknown, room: Room): unknown {
  if (field instanceof s.Numeric) return typeof value === "string" ? numberIn(value) ?? value : value;
  if (field instanceof s.Flag) return value === "true" ? true : value === "false" ? false : value;
  if (field instanceof s.Fielded) return isObject(value) ? meantObject(field, value, room) : value;
  if (!(field instanceof s.List)) return value;
  const list = typeof value === "string" ? listIn(value, room) ?? value : value;
  if (!Array.isArray(list)) return list;
  const element = field.item.inner;
  const meant = list.map((item) => meantValue(element, item, room));
  return meant.some((item, i) => item !== list[i]) ? meant : list;
}

function numberIn(text: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Undefined, too, if it is more complex than a request may be. */
function listIn(text: string, room: Room): unknown[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  const parts = jsonPartsOf(text, room.parts);
  if (parts === undefined) return undefined;
  room.parts -= parts;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined; // the argument check reports what is wrong
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
