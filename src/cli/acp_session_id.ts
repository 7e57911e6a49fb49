/** The session id that notifications for an ACP client carry. */
import type { Checked } from "./values.ts";

export function checkSessionId(id: string): Checked<string> {
  return /^[!-~]{1,200}$/.test(id) ? { value: id } : { reason: "" };
}

/** Constant for the life of the process, and different for every process that appends to the same file. */
export function defaultSessionId(): string {
  return `paddock-${Deno.pid}`;
}
