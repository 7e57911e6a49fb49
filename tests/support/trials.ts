/**
 * How many random trials a test makes: as many as it says, or that share of them that PADDOCK_TEST_TRIALS gives. The
 * tasks of tests/other_systems set it: a call that takes a millisecond takes up to a second where all is emulated.
 */
export function trials(usual: number): number {
  return Math.ceil(usual * Number(Deno.env.get("PADDOCK_TEST_TRIALS") ?? "1"));
}
