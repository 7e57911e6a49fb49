/** Sends a message to another thread; whatever it transfers must be listed. */
export function post<M>(to: Receiver, message: M, transfer: Transferable[] = []): void {
  if (transfer.length > 0) to.postMessage(message, transfer);
  else to.postMessage(message); // the first list, even an empty one, takes the runtime 10 ms
}

/** A Worker, or the thread that started this one. */
interface Receiver {
  postMessage(message: unknown): void;
  postMessage(message: unknown, transfer: Transferable[]): void;
}
