/**
 * The messages between the parts of the console. The part that talks to browsers has no permission for any file; the
 * part that looks at files may only read them; the part that undoes changes starts when a person has confirmed. Each
 * runs in a Worker of its own, or all in one thread where there are no Workers.
 */
import type { z } from "zod";
import type { Events } from "./api_types.ts";
import type { REQUESTS } from "./schemas.ts";
import type { Hand } from "./hand.ts";
import type { Viewer } from "./view/viewer.ts";

/** A checked request. */
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

/** What is done after a person has confirmed it. */
export type Doing = Pick<Hand, "undo" | "restore">;

/** What the viewer sends without being asked. */
export type ViewEvent =
  | { [K in "change" | "reload" | "sources"]: { event: K; data: Events[K] } }["change" | "reload" | "sources"]
  /** Directories were replaced: a new viewer has to take over. */
  | { event: "replaced" };
