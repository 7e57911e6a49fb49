// Patterns of all kinds, for which paddock must find the same lines as ripgrep. Where the two languages differ (Go's
// classes are ASCII, Rust's are Unicode), ripgrep gets the same meaning in its own syntax.

export interface SearchPattern {
  readonly pattern: string;
  /** For ripgrep, where that is spelled differently. */
  readonly ripgrep?: string;
}

/** The same for both, with ASCII classes. */
const ascii = (pattern: string): SearchPattern => ({ pattern, ripgrep: `(?-u:${pattern})` });

export const searchPatterns: readonly SearchPattern[] = [
  { pattern: "TODO" },
  { pattern: "isArray" },
  { pattern: "there is no such line anywhere" },
  { pattern: "Array\\.prototype\\.slice" },
  { pattern: "x\\{2,\\}" },
  { pattern: "(?i)deprecated" },
  { pattern: "(?i)straße|ÉTAT|naïve" },
  { pattern: "TODO|FIXME|XXX|HACK" },
  { pattern: "foo|bar|baz" },
  { pattern: "(get|set|has)OwnProperty(Names|Descriptor)?" },
  { pattern: "^import .* from ['\"]rxjs" },
  { pattern: "^$" },
  { pattern: "^\\}$" },
  { pattern: ";$" },
  { pattern: "^(//|#) " },
  { pattern: "[A-Z]{4}_[A-Z]{4}" },
  { pattern: "[0-9]{7}" },
  { pattern: "0x[0-9a-fA-F]{8}" },
  { pattern: "é" },
  { pattern: "[à-ü]+" },
  { pattern: "[^\\x00-\\x7f]" },
  { pattern: "\\p{Greek}" },
  { pattern: "[一-龥]{2,3}" },
  ascii("\\bnew\\s+Error\\b"),
  ascii("\\w+\\s+\\w+\\(xyz\\)"),
  ascii("\\d+ \\d+ \\d+$"),
  ascii("\\b\\w{40,}\\b"),
  ascii("return\\s*\\(?\\s*function\\s*\\("),
  ascii("([a-z]+)-([a-z]+)-([a-z]+)-([a-z]+)-"),
  ascii("^\\s*\\*?\\s*@param\\s+\\{\\S+\\}\\s+\\[?\\w+=[^\\]]"),
  { pattern: "https?://[^/]+/[^ ]*\\.(png|gif|jpe?g)" },
  { pattern: "a.{20,24}z" },
];
