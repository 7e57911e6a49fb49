/** How the server has a worker started: only main may, and it gives the worker permissions for reading alone. */

/** The worker is at the other end of the port; `lost` is told when there is none, or none any more. */
export type SpawnSearcher = (port: MessagePort, lost: () => void) => void;

/** Who looks at files for the console, and who changes them. */
export type ConsoleRole = "view" | "hand";

/** Has somebody started at the other end of the port; `lost` is called should they go. */
export type SpawnConsole = (role: ConsoleRole, port: MessagePort, lost: (why: string) => void) => void;
