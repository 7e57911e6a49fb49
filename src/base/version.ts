/** The program's name and version, and its names elsewhere; a test keeps them equal to deno.json. */
export const NAME = "paddock";
export const VERSION = "0.1.0";
export const JSR_NAME = "@paddock/paddock";
export const NPM_NAME = "paddock-mcp";
/** Where its source is, without a slash at the end. The release stops if it runs at another address. */
export const REPOSITORY_URL = "https://github.com/paddock-mcp/paddock";
