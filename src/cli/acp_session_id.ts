/** The session id that notifications for an ACP client carry. */
import { type Checked } from "./values.ts";

export function checkSessionId(id: string): Checked<string> {
  return /^[!-~]{1,200}$/.test(id) ? { value: id } : { reason: "" };
}

/** The same for as long as the process lives, and another for every process that appends to one file. */
export function defaultSessionId(): string {
  return `paddock-${Deno.pid}`;
}
