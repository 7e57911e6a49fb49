/**
 * The notes of a release: what CHANGELOG.md says about its version.
 *
 *     deno run -R build/release_notes.ts v0.1.0
 */

/** Undefined when there is no section for that version. */
export function notesFor(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find((section) => section.split(/\s/, 1)[0] === version);
  const [, ...lines] = section?.split("\n") ?? [];
  return section === undefined ? undefined : `${lines.join("\n").trim()}\n`;
}

if (import.meta.main) {
  const version = Deno.args[0]?.replace(/^v/, "") ?? "";
  const notes = notesFor(Deno.readTextFileSync(new URL("../CHANGELOG.md", import.meta.url)), version);
  if (notes === undefined) {
    console.error(`error: CHANGELOG.md has no section "## ${version}"`);
    Deno.exit(1);
  }
  console.log(notes);
}
