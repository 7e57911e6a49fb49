// Text for the files that the scenarios read and write.

/** `size` ASCII characters in lines of 64, different for each `seed`. */
export function sampleText(size: number, seed = 0): string {
  const line = `line of the sample ${seed} `.padEnd(63, "abcdefghij klmnopqrst ") + "\n";
  return line.repeat(Math.ceil(size / line.length)).slice(0, size);
}
