/** The cookie of a session. Browsers do not keep the ports of a machine apart, so its name contains the port. */
import { SESSION_MS } from "./sessions.ts";

export function cookieName(port: number): string {
  return `paddock_console_${port}`;
}

export function setCookie(port: number, secret: string): string {
  return `${cookieName(port)}=${secret}; ${ATTRIBUTES}; Max-Age=${SESSION_MS / 1000}`;
}

export function clearCookie(port: number): string {
  return `${cookieName(port)}=; ${ATTRIBUTES}; Max-Age=0`;
}

const ATTRIBUTES = "Path=/console; HttpOnly; SameSite=Strict";

/** The first of that name, which is the one the browser considers the best match. */
export function cookieIn(header: string | null, port: number): string | undefined {
  const start = `${cookieName(port)}=`;
  return header?.split(";").map((part) => part.trim()).find((part) => part.startsWith(start))?.slice(
    start.length,
  );
}
