/** The name and version this program gives itself; a test holds them equal to deno.json. */
export const NAME = "paddock";
export const VERSION = "0.1.0";
