/**
 * What the parts of the console say to each other. Who talks to browsers has no right to any file; who looks at files
 * may only read them; who takes changes back is started when a person has said so. Each is in a Worker of its own, or
 * all in one thread where there are none.
 */
import { type z } from "zod";
import { type Events } from "./api_types.ts";
import { type REQUESTS } from "./schemas.ts";
import { type Hand } from "./hand.ts";
import { type Viewer } from "./view/viewer.ts";

/** What is asked, after it was checked. */
export type Asked<K extends keyof typeof REQUESTS> = z.output<typeof REQUESTS[K]>;

/** The questions that the viewer answers. */
export type View = Pick<
  Viewer,
  | "sources"
  | "changes"
  | "change"
  | "diff"
  | "file"
  | "compare"
  | "content"
  | "facets"
  | "recent"
  | "previewUndo"
  | "previewRestore"
>;

/** What is done on a person's word. */
export type Doing = Pick<Hand, "undo" | "restore">;

/** What the viewer tells by itself. */
export type ViewEvent =
  | { [K in "change" | "reload" | "sources"]: { event: K; data: Events[K] } }["change" | "reload" | "sources"]
  /** Directories are others by now: another viewer has to take over. */
  | { event: "replaced" };
