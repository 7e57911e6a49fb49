/**
 * A hint for a search that found nothing: how to write a glob that looks like a list (`*.go,*.ts`) or a folder
 * (`src/`), as in other programs.
 */
import { quote } from "../engine/fence.ts";

const EXTENSION = /^\*(\.[\w.-]+)$/;

export function folderHint(glob: string): string | undefined {
  if (!glob.endsWith("/")) return undefined;
  const all = `${glob.replace(/\/+$/, "")}/**`;
  return `${quote(glob)} is a folder, and only files are searched; for everything below it write ${
    quote(all)
  }`;
}

export function listHint(glob: string): string | undefined {
  const parts = partsOf(glob);
  if (parts === undefined) return undefined;
  const extensions = parts.flatMap((part) => EXTENSION.exec(part)?.[1]?.slice(1) ?? []);
  const isOfExtensions = extensions.length === parts.length;
  const one = isOfExtensions ? `*.{${extensions.join(",")}}` : `{${parts.join(",")}}`;
  return `${quote(glob)} is one pattern, not a list; for any of several write ${quote(one)}`;
}

/** The patterns of what looks like a list of them; separators in braces or brackets do not count. */
function partsOf(glob: string): string[] | undefined {
  if (/[[\]{}\\]/.test(glob)) return undefined;
  const parts = glob.split(/[,;|]/).map((part) => part.trim());
  const words = glob.trim().split(/\s+/);
  const isList = (some: string[]) => some.length > 1 && some.every((part) => part !== "");
  if (isList(parts)) return parts;
  return isList(words) && words.every((word) => word.includes("*")) ? words : undefined;
}
