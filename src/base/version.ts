/** The program's name and version; a test keeps them equal to deno.json. */
export const NAME = "paddock";
export const VERSION = "0.1.0";
