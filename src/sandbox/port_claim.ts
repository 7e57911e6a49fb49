/**
 * A claim on a TCP port, so that two processes never share it by accident. A server that can be replaced without
 * a gap must let a second socket listen on its address (SO_REUSEPORT), and then the system lets another process
 * of the same user do so as well; looking first whether somebody listens leaves a moment in which two processes
 * that start at once both find nobody. The UDP port of the same number, on this machine's own address, cannot be
 * had twice and is given back with the process: who holds it may share the TCP port, everybody else listens on it
 * alone or not at all.
 */

/** False when another process has the claim. It is held until the process ends. */
export function claimPort(port: number): boolean {
  try {
    Deno.listenDatagram({ transport: "udp", hostname: "127.0.0.1", port });
    return true;
  } catch {
    return false; // or there is no such claim to be had: then the port is not shared either
  }
}
