/** A Chromium for Linux on x64 that needs no installation, in compressed parts. */
export { inflate } from "npm:@sparticuz/chromium@153.0.0";

export const PARTS = new URL("../bin/", import.meta.resolve("npm:@sparticuz/chromium@153.0.0"));
