/**
 * How the server asks for a worker: only main may start one, and it gives search workers permission to read
 * only.
 */

/** The worker is at the other end of the port; `lost` is called when it could not start, or has ended. */
export type SpawnSearcher = (port: MessagePort, lost: () => void) => void;

/** The console's worker that looks at files, and the one that changes them. */
export type ConsoleRole = "view" | "hand";

/** Starts a worker at the other end of the port; `lost` is called if it ends. */
export type SpawnConsole = (role: ConsoleRole, port: MessagePort, lost: (why: string) => void) => void;
