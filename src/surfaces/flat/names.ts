/** File names of the flat surface: plain names of few kinds of characters, never a path. */
import { PaddockError } from "../../base/errors.ts";

export const NAME_PATTERN = "^[a-zA-Z0-9._-]+$";
export const NAME_MAX = 255;

const NAME = new RegExp(NAME_PATTERN);

export function isFileName(name: unknown): name is string {
  return typeof name === "string" && name.length <= NAME_MAX && NAME.test(name) && name !== "." &&
    name !== "..";
}

export function checkFileName(name: unknown): string {
  if (isFileName(name)) return name;
  throw new PaddockError("INVALID_INPUT", "Invalid filename format");
}
