/** Forty names and contents that try to be more than text. */

const BEL = "\x07";
const ESC = "\x1b";

/** Each one runs `alert` or requests `/pwned`, if it runs at all. */
export const HOSTILE: readonly string[] = [
  "<script>alert(1)</script>",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  '"><script src=/pwned></script>',
  "' onmouseover='alert(1)",
  '" autofocus onfocus="alert(1)',
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "<iframe src=javascript:alert(1)>",
  "<a href=javascript:alert(1)>click</a>",
  "javascript:alert(1)",
  "<body onload=alert(1)>",
  "<style>*{display:none}</style>",
  "<link rel=stylesheet href=/pwned>",
  "<meta http-equiv=refresh content='0;url=/pwned'>",
  "<base href=//evil.example/>",
  "<form action=/pwned><input autofocus onfocus=alert(1)></form>",
  "<details open ontoggle=alert(1)>",
  "<video><source onerror=alert(1)></video>",
  "<math><mtext></table><img src=x onerror=alert(1)>",
  "<template><script>alert(1)</script></template>",
  "<!--><script>alert(1)</script-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}",
  "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
  "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
  "__proto__",
  "constructor",
  "invoice\u202egpj.exe",
  "\u2066\u2067\u2068turned\u2069",
  "zero\u200bwidth\u200d\ufeff",
  `${ESC}[31mred${ESC}[0m`,
  `${ESC}]0;title${BEL}${ESC}]8;;http://evil.example${BEL}link`,
  "Z\u0310\u0352\u0311a\u0310\u0352\u0311l\u0310\u0352\u0311".repeat(20),
  "W".repeat(180),
  "مرحبا שלום\u202b mixed \u202c",
  "👩‍💻🏳️‍🌈\u{e0041}\u{e007f}\ud83d",
];

/** As a name: slashes are replaced, and it is no longer than a file system allows. */
export function asName(text: string, n: number): string {
  const name = text.replaceAll("/", "\u2215").replaceAll("\0", "").toWellFormed();
  return `${n} ${[...name].slice(0, 60).join("")}.txt`;
}

/** One in eight has a line of a megabyte, and one in eight a line of 50 KB. */
export function asContent(text: string, n: number): string {
  const length = n % 8 === 0 ? 1_000_000 : n % 8 === 4 ? 50_000 : 0;
  const long = length === 0 ? "" : `${text.repeat(Math.ceil(length / text.length))}\n`;
  return `${text}\n${long}\t${text} ${text}\n`.toWellFormed();
}
