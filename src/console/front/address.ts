/** The address that a person opens. */
import type { HttpConfig } from "../../base/config.ts";
import { reachableUrl } from "../../transports/http/banner.ts";

export function consoleUrl(address: Pick<HttpConfig, "host" | "port">, token: string): string {
  return `${reachableUrl(address)}/console?token=${token}`;
}
