/** Waits for all, even if one fails: what the others work with must not be taken away before they have ended. */
export async function allDone(all: readonly unknown[]): Promise<void> {
  for (const result of await Promise.allSettled(all)) {
    if (result.status === "rejected") throw result.reason;
  }
}
