/**
 * What wine 10 gets wrong, by how a test fails for it. A failure that none of these explains is ours.
 */
export interface Known {
  /** What wine does. */
  readonly why: string;
  /** In the text of the failure. */
  readonly says?: RegExp;
  /** In the name of the test, where its text says too little. */
  readonly named?: RegExp;
}

export const KNOWN_OF_WINE: readonly Known[] = [
  {
    why: "a symbolic link is made without an error, and is not there",
    says: /needs symbolic links/,
  },
  {
    why: "a file that is open cannot be replaced by a rename (NTFS lets it, by POSIX semantics)",
    says: /rename .*(?:os error 5|Access denied)|perhaps because another program has it open/i,
  },
  {
    why: "a file that is open is removed only when it is closed, and is found until then",
    named:
      /removed meanwhile|no longer there|is replaced or removed|temporary file of ours|locked until it is disposed/,
  },
  {
    why: "LockFileEx does not keep other handles from reading",
    named: /mandatory/,
  },
  {
    why: "paths of more than 260 characters are not found",
    named: /long|deep|260/,
  },
];

/** Undefined when it is ours. */
export function whyWine(name: string, text: string): string | undefined {
  return KNOWN_OF_WINE.find(({ says, named }) => says?.test(text) || named?.test(name))?.why;
}
