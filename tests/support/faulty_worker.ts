/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
/** The server's Worker with a planted fault, chosen by the Worker's name: what the doctor has to find. */

/** Claims that every existing path is real, wherever its links lead. */
function followLinksBlindly(): void {
  const real = Deno.realPathSync;
  Deno.realPathSync = (path) => {
    real(path);
    return String(path);
  };
}

/** Claims to have acquired the lock, whoever holds it. */
function lockNothing(): void {
  Deno.FsFile.prototype.tryLockSync = () => true;
}

const FAULTS: Record<string, () => void> = { links: followLinksBlindly, locks: lockNothing };

FAULTS[self.name]?.();
await import("../../src/sandbox/worker.ts");
