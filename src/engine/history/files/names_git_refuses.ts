/**
 * Names and contents that `git fsck --strict` reports: they must not get into a history, or no server would accept
 * it. They were once used to attack people who checked out a repository.
 */
import { PaddockError } from "../../../base/errors.ts";
import { isGitName, quote } from "../../../confine/path_rules.ts";
import { MODE_EXECUTABLE, MODE_FILE } from "../objects/objects.ts";

const MAX_ATTRIBUTES_LINE = 2048;
const MAX_ATTRIBUTES = 100 * 1024 * 1024;

/** Throws for a path that git would report. */
export function checkNames(path: string): void {
  for (const name of path.split(/[/\\]/)) {
    if (!isGitName(name)) continue;
    throw new PaddockError(
      "INVALID_INPUT",
      `${quote(path)} cannot be recorded in the history: git reserves the name ${
        quote(name)
      }; choose another`,
    );
  }
}

/** Whether a file's content has to be checked. */
export function hasRules(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return isModules(name) || isAttributes(name);
}

/** Throws for content that git would report under this name. */
export function checkContent(path: string, mode: number, content: () => Uint8Array): void {
  if (!hasRules(path)) return;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isFile = mode === MODE_FILE || mode === MODE_EXECUTABLE;
  if (!isFile) {
    if (isModules(name)) throw refused(path, "it must be a file");
    return;
  }
  const bytes = content();
  const problem = isModules(name) ? problemOfModules(bytes) : problemOfAttributes(bytes);
  if (problem !== undefined) throw refused(path, problem);
}

function refused(path: string, why: string): PaddockError {
  return new PaddockError("INVALID_INPUT", `git would refuse ${quote(path)} in the history: ${why}`);
}

const isModules = (name: string) => isDotName(name, MODULES);
const isAttributes = (name: string) => isDotName(name, ATTRIBUTES);

const MODULES = /^(?:\.gitmodules|gitmod~[1-4]|gi7eba~[0-9]+|gi7eb[0-9a-z]?~[0-9]+)$/;
const ATTRIBUTES = /^(?:\.gitattributes|gitatt~[1-4]|gi7d29~[0-9]+|gi7d2[0-9a-z]?~[0-9]+)$/;

/** Whether some file system takes the name for `.gitmodules` and the like, including its short (8.3) form. */
function isDotName(name: string, forms: RegExp): boolean {
  const bare = name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "").toLowerCase()
    .replace(/:.*$/, "").replace(/[. ]+$/, "");
  return forms.test(bare);
}

function problemOfAttributes(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_ATTRIBUTES) return "it is larger than 100 MB";
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const next = end < 0 ? bytes.length : end;
    if (next - at >= MAX_ATTRIBUTES_LINE) return `a line is longer than ${MAX_ATTRIBUTES_LINE - 1} bytes`;
    at = next + 1;
  }
  return undefined;
}

/** Stricter than git, which parses the values like its configuration: what could be bad is refused. */
function problemOfModules(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return "it contains a null byte";
  const text = new TextDecoder().decode(bytes).replace(/\\\r?\n/g, "");
  for (const line of text.split("\n").map((one) => one.trim())) {
    const section = /^\[\s*submodule\s+"((?:[^"\\]|\\.)*)"\s*\]/i.exec(line)?.[1]?.replace(/\\(.)/g, "$1");
    if (section !== undefined && (section === "" || /(^|[/\\])\.\.([/\\]|$)/.test(section))) {
      return `the submodule name ${quote(section)} is not allowed`;
    }
    const [, key = "", raw = ""] = /^(?:\[[^\]]*\]\s*)?([a-z][a-z0-9-]*)\s*=\s*(.*)$/i.exec(line) ?? [];
    const value = raw.replaceAll('"', "").trim();
    if (
      key.toLowerCase() === "url" && (!/^[^-]/.test(value) || /%0a|\\n|\n|::/i.test(value) || isOddUrl(value))
    ) {
      return `the submodule URL ${quote(value)} is not allowed`;
    }
    if (key.toLowerCase() === "path" && value.startsWith("-")) {
      return `the submodule path ${quote(value)} is not allowed`;
    }
    if (key.toLowerCase() === "update" && value.startsWith("!")) {
      return "a submodule's update must not be a command";
    }
  }
  return undefined;
}

/** A relative URL that climbs up to the host name, or one with an empty host. */
function isOddUrl(url: string): boolean {
  return /^(?:\.\.?[/\\])+[:]/.test(url) || /^(?:\.\.?\/)+\/*:/.test(url) ||
    /^[a-z][a-z0-9+.-]*:\/\/\/*(?:[:@]|$)/i.test(url);
}
