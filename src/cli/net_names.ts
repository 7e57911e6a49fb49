/** Checks the names that the HTTP server listens on and answers to: addresses, Host values, CORS origins. */
import type { Checked } from "./values.ts";

/** A host name or IP address to listen on. IPv6 has no brackets, as system calls expect. */
export function checkListenHost(given: string): Checked<string> {
  if (isIpv6(given)) return { value: given };
  if (/^\[.*\]$/.test(given)) return { reason: "write an IPv6 address without brackets" };
  if (/:[0-9]*$/.test(given)) return { reason: "the port has its own setting" };
  return isHostName(given) ? { value: given } : { reason: "" };
}

/** A Host value as URL.hostname returns it: lower case, IPv6 in brackets, no port. */
export function checkAllowedHost(given: string): Checked<string> {
  if (given.includes("*")) {
    return { reason: "a wildcard would switch off the check that stops DNS rebinding" };
  }
  const bare = given.replace(/^\[(.*)\]$/, "$1");
  if (isIpv6(bare)) return { value: new URL(`http://[${bare}]`).hostname };
  if (/:[0-9]*$/.test(given)) return { reason: "leave out the port; any port is accepted" };
  return isHostName(given) ? { value: new URL(`http://${given}`).hostname } : { reason: "" };
}

/** An origin as browsers send it: lower case, without the scheme's default port. */
export function checkCorsOrigin(given: string): Checked<string> {
  if (given.includes("*")) {
    return { reason: "'*' would let any web page the user visits read and change the files" };
  }
  if (given === "null") return { reason: "any sandboxed page has the origin 'null'" };
  const match = /^https?:\/\/([^/?#@\s\\]+)(.*)$/i.exec(given);
  if (match === null || !URL.canParse(given)) return { reason: "" };
  if (match[2] !== "") return { reason: "an origin has no path, not even a final slash" };
  return { value: new URL(given).origin };
}

function isIpv6(given: string): boolean {
  return /^[0-9a-f.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(given) && URL.canParse(`http://[${given}]`);
}

function isHostName(given: string): boolean {
  return given.length <= 253 && /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_.])?$/i.test(given) &&
    URL.canParse(`http://${given}`);
}
