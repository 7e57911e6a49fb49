/**
 * A time limit that a test sets and that a call has to keep: as many times longer as PADDOCK_TEST_PATIENCE says. The
 * tasks of tests/other_systems set it, because what they emulate is slow.
 */
export function patient(ms: number): number {
  return ms * Number(Deno.env.get("PADDOCK_TEST_PATIENCE") ?? "1");
}
