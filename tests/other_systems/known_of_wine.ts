/**
 * What wine 10 gets wrong, and the very tests that fail for it. Any other failure is ours; and a test of these that does
 * not fail any more does not belong here any more.
 */
import { type Failure } from "./failures.ts";

export interface Known {
  /** What wine does. */
  readonly why: string;
  /** What every failure for that reason says, where it says it. */
  readonly says?: RegExp;
  /** The names of the tests by their files; of a step, with the test's before it. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

export const KNOWN_OF_WINE: readonly Known[] = [
  {
    why: "a symbolic link is made without an error, and is not there",
    says: /needs symbolic links/,
    tests: {},
  },
];

export interface Judged {
  wines: { failure: Failure; why: string }[];
  ours: Failure[];
  /** Listed, in these files, and did not fail. */
  passed: string[];
}

export function judge(
  failures: readonly Failure[],
  files: readonly string[],
  known: readonly Known[] = KNOWN_OF_WINE,
): Judged {
  const judged: Judged = { wines: [], ours: [], passed: [] };
  for (const failure of failures) {
    const why = known.find((each) => isFor(each, failure))?.why;
    if (why === undefined) judged.ours.push(failure);
    else judged.wines.push({ failure, why });
  }
  for (const { tests } of known) {
    for (const file of files) {
      for (const name of tests[file] ?? []) {
        const hasFailed = failures.some((failure) => failure.file === file && failure.name === name);
        if (!hasFailed) judged.passed.push(`${file}: ${name}`);
      }
    }
  }
  return judged;
}

function isFor({ says, tests }: Known, { file, name, text }: Failure): boolean {
  return (tests[file]?.includes(name) ?? false) && (says?.test(text) ?? true);
}
