/**
 * `subscriptions/listen` of revision 2026-07-28: which of a client's requested notifications can be sent. The
 * code that serves the stream tells the client which those are.
 */
import type { Tools } from "./methods.ts";
import { type Member, MOST_OF_ONE } from "./notices.ts";
import { locate, subscribed } from "./resource_methods.ts";

export const LISTEN = "subscriptions/listen";

export interface Wishes {
  toolsListChanged?: true;
  resourcesListChanged?: true;
  resourceSubscriptions?: string[];
}

export interface Meeting {
  member: Member;
  /** Absent where there are none. */
  resources?: Tools | undefined;
}

/**
 * Undefined when the request is malformed, or asks for too many. Subscribes the member to what can be sent.
 */
export async function metWishes(
  wanted: unknown,
  { member, resources }: Meeting,
): Promise<Wishes | undefined> {
  if (typeof wanted !== "object" || wanted === null) return undefined;
  const { toolsListChanged, resourcesListChanged, resourceSubscriptions = [] } = wanted as Record<
    string,
    unknown
  >;
  const isList = Array.isArray(resourceSubscriptions) && resourceSubscriptions.length <= MOST_OF_ONE &&
    resourceSubscriptions.every((uri) => typeof uri === "string");
  if (!isList || ![toolsListChanged, resourcesListChanged].every(isChoice)) return undefined;
  const uris: string[] = [];
  if (resources !== undefined) {
    for (const uri of new Set<string>(resourceSubscriptions)) {
      const places = await locate(resources, uri);
      if (places !== undefined && subscribed(member, uri, places) === undefined) uris.push(uri);
    }
  }
  return {
    ...(toolsListChanged === true && { toolsListChanged }),
    ...(resourcesListChanged === true && resources !== undefined && { resourcesListChanged }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
}

function isChoice(value: unknown): boolean {
  return value === undefined || typeof value === "boolean";
}

export const BAD_WISHES = "Invalid params: notifications must be an object with toolsListChanged and " +
  `resourcesListChanged (true or false) and at most ${MOST_OF_ONE} resourceSubscriptions (strings)`;
