/** Checks of the names the HTTP side listens on and answers to: addresses, Host values, CORS origins. */
import type { Checked } from "./values.ts";

/** A host name or IP address to listen on. IPv6 comes without brackets, as the system's calls want it. */
export function checkListenHost(given: string): Checked<string> {
  if (isIpv6(given)) return { value: given };
  if (/^\[.*\]$/.test(given)) return { reason: "write an IPv6 address without brackets" };
  if (/:[0-9]*$/.test(given)) return { reason: "the port has its own setting" };
  return isHostName(given) ? { value: given } : { reason: "" };
}

/** A Host value, in the form in which URL.hostname gives it: lower case, IPv6 in brackets, no port. */
export function checkAllowedHost(given: string): Checked<string> {
  if (given.includes("*")) {
    return { reason: "a wildcard would switch off the check that stops DNS rebinding" };
  }
  const bare = given.replace(/^\[(.*)\]$/, "$1");
  if (isIpv6(bare)) return { value: new URL(`http://[${bare}]`).hostname };
  if (/:[0-9]*$/.test(given)) return { reason: "leave the port out, any port is accepted" };
  return isHostName(given) ? { value: new URL(`http://${given}`).hostname } : { reason: "" };
}

/** An origin, in the form in which browsers send it: lower case, without the scheme's own port. */
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
