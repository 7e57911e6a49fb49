/** The server's name, and how it looks in a list of servers. */
import { NAME, VERSION } from "../base/version.ts";

/** A field with a fence around it. */
const ICON = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>" +
  "<rect width='16' height='16' rx='3' fill='#2f7d4f'/>" +
  "<path d='M4 3v10M8 3v10M12 3v10M2 6h12M2 10h12' stroke='#fff' stroke-width='1.5'/></svg>";

/** How it is named in every answer of revision 2026-07-28. */
export const SERVER_NAME = { name: NAME, version: VERSION };

export const SERVER_INFO = {
  ...SERVER_NAME,
  title: "Paddock",
  icons: [{
    src: `data:image/svg+xml,${encodeURIComponent(ICON)}`,
    mimeType: "image/svg+xml",
    sizes: ["any"],
  }],
};
