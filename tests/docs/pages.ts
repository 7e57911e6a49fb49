/** The documents that people read, and what is in them. */
import { REPOSITORY } from "../support/server.ts";

export interface Page {
  /** From the repository's root. */
  readonly path: string;
  readonly text: string;
}

/** Every Markdown page at the root and in docs/. */
export function pages(): Page[] {
  const paths = [
    ...[...Deno.readDirSync(REPOSITORY)].map(({ name }) => name),
    ...filesBelow("docs"),
  ].filter((path) => path.endsWith(".md"));
  return paths.sort().map((path) => ({ path, text: Deno.readTextFileSync(REPOSITORY + path) }));
}

/** Paths of all files in a folder of the repository, from its root; caches are left out. */
export function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(REPOSITORY + folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (!isDirectory) return [path];
    return name === "node_modules" || name.startsWith(".") ? [] : filesBelow(path);
  });
}

export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** What the comment right above it says, if there is one. */
  readonly comment: string | undefined;
}

const BLOCK = /(?:^<!-- ([^\n]+) -->\n+)?^```(\w*)\n([^]*?)^```$/gm;

export function blocks({ path, text }: Page): Block[] {
  return [...text.matchAll(BLOCK)].map(([, comment, language = "", body = ""]) => ({
    page: path,
    language,
    text: body,
    comment,
  }));
}

/** The page without its code blocks. */
export function prose({ text }: Page): string {
  return text.replace(/^```[^]*?^```$/gm, "");
}

/** What is between backticks in the prose. */
export function inlineCode(page: Page): string[] {
  return [...prose(page).matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replace(/\s+/g, " "));
}

/** The anchor of a heading, as GitHub makes it. */
export function anchors(page: Page): Set<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...prose(page).matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) => {
      const slug = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    }),
  );
}
