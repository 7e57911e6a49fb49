/**
 * Turns an operating system error into a PaddockError that names the client's own path. The system's message,
 * which contains the host's path, is kept as the cause for the log and never shown to clients.
 */
import { PaddockError } from "../base/errors.ts";
import { quote } from "./path_rules.ts";

/** What an operation was about: the path as the client gave it, and the noun for it in a message. */
export interface Subject {
  given: string;
  noun?: string;
}

export function fromOsError(error: unknown, { given, noun = "file" }: Subject): unknown {
  if (!(error instanceof Error) || error instanceof PaddockError) return error;
  const path = quote(given);
  const make = (code: PaddockError["code"], message: string) =>
    new PaddockError(code, message, { cause: error });
  switch (osCode(error)) {
    case "ENOENT":
      return make("NOT_FOUND", `${noun} not found: ${given === "" ? '"."' : printable(given)}`);
    case "EACCES":
    case "EPERM":
      return make("PERMISSION_DENIED", `permission denied by the operating system${ORIGIN}: ${path}`);
    case "EROFS":
      return make("PERMISSION_DENIED", `the file system is read-only: ${path}`);
    case "EEXIST":
      return make("ALREADY_EXISTS", `already exists: ${path}`);
    case "ENOTDIR":
      return noun === "directory"
        ? make("INVALID_INPUT", `path is not a directory: ${path}`)
        : make("INVALID_INPUT", `a part of the path is a file, not a folder: ${path}`);
    case "EISDIR":
      return make("INVALID_INPUT", `path is a directory, not a file: ${path}`);
    case "ENOTEMPTY":
      return make("CONFLICT", `folder is not empty: ${path}`);
    case "ELOOP":
      return make("OUT_OF_BOUNDS", `too many symbolic links on the way to ${path}`);
    case "ENAMETOOLONG":
      return make(
        "INVALID_INPUT",
        `name too long: ${path}; names are at most 255 bytes, paths at most 4,095`,
      );
    case "ENOSPC":
    case "EDQUOT":
      return make("INTERNAL", `no space left on the device for ${path}`);
    case "ENXIO":
    case "ENODEV":
      return make("UNSUPPORTED", `not a regular file: ${path}`);
    case "EILSEQ":
      return make("UNSUPPORTED", `it leads to a name that is not valid UTF-8: ${path}`);
    case "EBUSY":
      return make(
        "CONFLICT",
        `in use (open in another program, which has to close it first, or a mount point): ${path}`,
      );
    case "EMFILE":
    case "ENFILE":
      return make("INTERNAL", `too many open files; try again later: ${path}`);
    default:
      return error;
  }
}

/** Windows reports the same for a file that another program has open. */
const ORIGIN = Deno.build.os === "windows" ? " (perhaps because another program has it open)" : "";

/** The symbolic code of a system error, whichever API threw it. */
export function osCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return code;
  for (const [type, name] of BY_CLASS) if (error instanceof type) return name;
  return undefined;
}

export function isNotFound(error: unknown): boolean {
  return osCode(error) === "ENOENT";
}

const BY_CLASS: [new (...args: never[]) => Error, string][] = [
  [Deno.errors.NotFound, "ENOENT"],
  [Deno.errors.PermissionDenied, "EACCES"],
  [Deno.errors.NotCapable, "EACCES"],
  [Deno.errors.AlreadyExists, "EEXIST"],
  [Deno.errors.NotADirectory, "ENOTDIR"],
  [Deno.errors.IsADirectory, "EISDIR"],
  [Deno.errors.FilesystemLoop, "ELOOP"],
  [Deno.errors.InvalidData, "EILSEQ"], // a name that is not UTF-8
  [Deno.errors.Busy, "EBUSY"],
];

/** As given if harmless; quoted if it contains anything but printable characters. */
function printable(given: string): string {
  return given.length <= 200 && /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u.test(given) ? given : quote(given);
}
