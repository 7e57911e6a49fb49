/** The methods about resources: the surface answers all of them, except for who gets which notifications. */
import { PaddockError } from "../base/errors.ts";
import type { RpcError, ToolCall, ToolResult } from "../tools/tool.ts";
import type { Tools } from "./methods.ts";
import type { Member } from "./notices.ts";

export const SUBSCRIBE = "resources/subscribe";
export const UNSUBSCRIBE = "resources/unsubscribe";

export const RESOURCE_METHODS: readonly string[] = [
  "resources/list",
  "resources/templates/list",
  "resources/read",
  SUBSCRIBE,
  UNSUBSCRIBE,
  "completion/complete",
];

/** The surface's answer to a subscription: the file's places on the host, or why it is refused. */
export interface Located {
  readonly places?: readonly string[];
  readonly rpcError?: RpcError;
}

export function locatedBy(result: ToolResult | undefined): Located {
  if (result?.rpcError !== undefined) return { rpcError: result.rpcError };
  const { places } = (result?.structuredContent ?? {}) as { places?: readonly string[] };
  return places === undefined ? {} : { places };
}

/** Where the file of an address is; undefined when it may not be read. For use without a request. */
export async function locate(resources: Tools, uri: string): Promise<readonly string[] | undefined> {
  const call: ToolCall = { signal: NEVER, requestId: undefined, client: undefined };
  return locatedBy(await resources.call(SUBSCRIBE, { uri }, call)).places;
}

const NEVER = new AbortController().signal;

/** Undefined on success, otherwise the error. */
export function subscribed(member: Member, uri: string, places: readonly string[]): RpcError | undefined {
  try {
    member.subscribe(uri, places);
    return undefined;
  } catch (error) {
    if (!(error instanceof PaddockError)) throw error;
    return { code: -32602, message: error.message };
  }
}
