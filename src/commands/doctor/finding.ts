/** What the doctor found, one for each check. */

export type Status = "ok" | "warning" | "failed" | "skipped";

export interface Finding {
  readonly check: string;
  readonly status: Status;
  readonly detail: string;
}

/** Checks one thing, or several of a kind. */
export interface Check {
  readonly name: string;
  run(): Promise<Finding[]> | Finding[];
}

export function finding(check: string, status: Status, detail: string): Finding {
  return { check, status, detail };
}
