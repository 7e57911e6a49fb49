/**
 * The address of a file as a resource: `paddock://root/path/in/it`, names percent-encoded. What a client
 * sends is decoded once, and then is a root's name and a path like any other, which the fence checks.
 */
import { PaddockError } from "../base/errors.ts";

/** In RFC 6570 syntax: `+` leaves slashes and most signs in the path as they are. */
export const RESOURCE_TEMPLATE = "paddock://{root}/{+path}";

export interface ResourcePlace {
  readonly root: string;
  /** Relative to the root; empty for the root itself. */
  readonly path: string;
}

/** The address as this server writes it. */
export function resourceUri({ root, path }: ResourcePlace): string {
  return `paddock://${[root, ...path.split("/")].map(encodeURIComponent).join("/")}`;
}

const ADDRESS = /^paddock:\/\/([^/?#]+)(?:\/(.*))?$/is;

const LONGEST = 16_384;

/** Signs such as `?` and `#` are literal: a template inserts them as they are. */
export function parseResourceUri(uri: string): ResourcePlace {
  const [, root, path = ""] = uri.length > LONGEST ? [] : ADDRESS.exec(uri) ?? [];
  if (root === undefined) {
    throw new PaddockError(
      "NOT_FOUND",
      `no such resource: ${JSON.stringify(uri.slice(0, 200))}; resources here are ${RESOURCE_TEMPLATE}`,
    );
  }
  return { root: decoded(root, uri), path: decoded(path, uri) };
}

function decoded(text: string, uri: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new PaddockError(
      "INVALID_INPUT",
      `cannot decode ${
        JSON.stringify(uri.slice(0, 200))
      }: a % must be followed by two hex digits, and names must be UTF-8; ` +
        "write a percent sign as %25",
    );
  }
}
