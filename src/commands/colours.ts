/** Colours for a terminal; elsewhere the text stays as it is. */

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const;

export type Colour = keyof typeof CODES;
export type Paint = (colour: Colour, text: string) => string;

export function painter(colours: boolean): Paint {
  return colours ? (colour, text) => `\x1b[${CODES[colour]}m${text}\x1b[0m` : (_colour, text) => text;
}
