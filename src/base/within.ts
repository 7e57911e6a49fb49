/** Waits for something that may never come, but not for ever. */
export async function within(maxMs: number, awaited: Promise<unknown> | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<void>((resolve) => timer = setTimeout(resolve, maxMs));
  await Promise.race([awaited, enough]).finally(() => clearTimeout(timer));
}
