/**
 * The classes of `\p{…}` by the names Go knows: categories, scripts and the long names of categories, without
 * regard to case, spaces, hyphens and underscores. What is in a class is asked of the runtime's own tables, with
 * a property from the lists here: a name that a user gave never becomes part of a RegExp.
 */
import { ANY, MAX_RUNE, negate, type Ranges, toRanges } from "../bytes/ranges.ts";

const CATEGORIES =
  "C Cc Cf Cn Co Cs L LC Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs";

const CATEGORY_NAMES = "Cased_Letter=LC Close_Punctuation=Pe Combining_Mark=M Connector_Punctuation=Pc " +
  "Control=Cc Currency_Symbol=Sc Dash_Punctuation=Pd Decimal_Number=Nd Enclosing_Mark=Me Final_Punctuation=Pf " +
  "Format=Cf Initial_Punctuation=Pi Letter=L Letter_Number=Nl Line_Separator=Zl Lowercase_Letter=Ll Mark=M " +
  "Math_Symbol=Sm Modifier_Letter=Lm Modifier_Symbol=Sk Nonspacing_Mark=Mn Number=N Open_Punctuation=Ps Other=C " +
  "Other_Letter=Lo Other_Number=No Other_Punctuation=Po Other_Symbol=So Paragraph_Separator=Zp Private_Use=Co " +
  "Punctuation=P Separator=Z Space_Separator=Zs Spacing_Mark=Mc Surrogate=Cs Symbol=S Titlecase_Letter=Lt " +
  "Unassigned=Cn Uppercase_Letter=Lu cntrl=Cc digit=Nd punct=P";

const SCRIPTS =
  "Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali " +
  "Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham " +
  "Cherokee Chorasmian Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra " +
  "Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati " +
  "Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited " +
  "Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi " +
  "Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani " +
  "Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui " +
  "Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari " +
  "New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian " +
  "Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong " +
  "Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian " +
  "Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le " +
  "Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai " +
  "Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square";

/** The class of a name as a user wrote it; undefined when there is none of that name. */
export function unicodeClass(name: string): Ranges | undefined {
  const key = plainName(name);
  if (key === "any") return ANY;
  if (key === "ascii") return ASCII;
  if (key === "assigned") return assigned ??= negate(rangesOf("General_Category=Cn"));
  const property = (properties ??= propertyTable()).get(key);
  return property === undefined ? undefined : rangesOf(property);
}

/** All code points of one of the runtime's properties; the caller writes it, never a user. */
export function rangesOf(property: string): Ranges {
  const known = classes.get(property);
  if (known !== undefined) return known;
  const found = collect(new RegExp(`\\p{${property}}+`, "gu"));
  classes.set(property, found);
  return found;
}

const ASCII: Ranges = [0, 0x7f];

// What was computed stays: these are tables, the same for every search.
const classes = new Map<string, Ranges>();
let properties: ReadonlyMap<string, string> | undefined;
let assigned: Ranges | undefined;
let blocks: readonly string[] | undefined;

function propertyTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const name of CATEGORIES.split(" ")) table.set(plainName(name), `General_Category=${name}`);
  for (const name of SCRIPTS.split(" ")) table.set(plainName(name), `Script=${name}`);
  for (const pair of CATEGORY_NAMES.split(" ")) {
    const [name = "", category = ""] = pair.split("=");
    table.set(plainName(name), `General_Category=${category}`);
  }
  return table;
}

function plainName(name: string): string {
  return name.replace(/[_ -]/g, "").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Where code points differ from one another: each of these blocks is examined. */
const BLOCKS: readonly [lo: number, hi: number][] = [[0, 0xd7ff], [0xe000, 0x3ffff], [0xe0000, 0xe0fff]];

/** Surrogates, private use and unassigned planes: one of each run stands for all of it. */
const RUNS: readonly [lo: number, hi: number][] = [
  [0xd800, 0xdfff],
  [0x40000, 0xdffff],
  [0xe1000, 0xeffff],
  [0xf0000, 0xffffd],
  [0xffffe, 0xfffff],
  [0x100000, 0x10fffd],
  [0x10fffe, MAX_RUNE],
];

function collect(property: RegExp): Ranges {
  const found: number[] = [];
  for (const text of blocks ??= BLOCKS.map(textOf)) {
    for (const [run] of text.matchAll(property)) found.push(run.codePointAt(0) ?? 0, lastOf(run));
  }
  for (const [lo, hi] of RUNS) {
    property.lastIndex = 0;
    if (property.test(String.fromCodePoint(lo))) found.push(lo, hi);
  }
  return toRanges(found);
}

function textOf([lo, hi]: [number, number]): string {
  const parts: string[] = [];
  for (let from = lo; from <= hi; from += 4096) {
    const runes = Array.from({ length: Math.min(4096, hi - from + 1) }, (_, i) => from + i);
    parts.push(String.fromCodePoint(...runes));
  }
  return parts.join("");
}

function lastOf(text: string): number {
  const before = text.codePointAt(text.length - 2) ?? 0;
  return before > 0xffff ? before : text.charCodeAt(text.length - 1);
}
