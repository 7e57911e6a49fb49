/** Turns a name that a person would give into the name of a folder: lower case, digits and dashes. */

const LONGEST = 64;

/** Empty if nothing of the name is left. */
export function slugOf(name: string): string {
  return cut(name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-/, ""), LONGEST);
}

/** The slug itself, then `-2`, `-3` and so on, none longer than a slug may be. */
export function slugVariant(slug: string, n: number): string {
  if (n < 2) return slug;
  const suffix = `-${n}`;
  return cut(slug, LONGEST - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, "");
}
