/** How the server has a worker started: only main may, and it gives the worker permissions for reading alone. */

/** The worker is at the other end of the port; `lost` is told when there is none, or none any more. */
export type SpawnSearcher = (port: MessagePort, lost: () => void) => void;
