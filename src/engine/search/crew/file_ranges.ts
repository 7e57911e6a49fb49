/** How large files are divided among workers. */
export interface Division {
  /** Smaller files are not worth it. */
  readonly above: number;
  readonly rangeBytes: number;
}

export const DIVISION: Division = { above: 16 * 1024 * 1024, rangeBytes: 8 * 1024 * 1024 };
