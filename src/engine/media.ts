/**
 * The media type of a file by its content or, if that says nothing, by its name. A file can have any name, so a
 * type based on its name alone is no proof: what is sent to a model as an image must be one.
 */
import { decodeUtf8, looksBinary, SNIFFED_BYTES, utf8Boundary } from "../text/utf8.ts";

/** Patterns over the first bytes, one character each. Short signatures include bytes that no text has there. */
const SIGNATURES = compile([
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF8[79]a", "image/gif"],
  ["RIFF.{4}WEBP", "image/webp"],
  ["BM.{4}\0{4}", "image/bmp"],
  ["\0\0\x01\0[^\0]\0.{3}\0", "image/x-icon"],
  ["II[*]\0|MM\0[*]", "image/tiff"],
  ["\0\0\0.ftyp(avi[fs]|m(if|sf)1.*avi[fs])", "image/avif"],
  ["\0\0\0.ftyp(hei[cmsx]|m(if|sf)1.*hei[cx])", "image/heic"],
  ["\0\0\0.ftypm(if|sf)1", "image/heif"],
  ["\0\0\0.ftypM4[AB] ", "audio/mp4"],
  ["\0\0\0.ftypqt  ", "video/quicktime"],
  ["\0\0\0.ftyp", "video/mp4"],
  ["\x1aE\xdf\xa3.*webm", "video/webm"],
  ["\x1aE\xdf\xa3", "video/x-matroska"],
  ["OggS\0.{23}\x80theora", "video/ogg"],
  ["OggS\0", "audio/ogg"],
  ["RIFF.{4}WAVE", "audio/wav"],
  ["fLaC[\0\x80]\0\0\x22", "audio/flac"],
  ["ID3[\x02-\x04]", "audio/mpeg"],
  // A frame of layer II or III, with a bit rate. FF FE, the byte order mark of UTF-16, would be layer I.
  ["\xff[\xe2\xe3\xf2-\xf5\xfa-\xfd][\x10-\xef]", "audio/mpeg"],
  ["\xff[\xf0\xf1\xf8\xf9]", "audio/aac"],
  ["%PDF-", "application/pdf"],
  ["PK(\x03\x04|\x05\x06|\x07\x08)", "application/zip"],
  ["\x1f\x8b\x08", "application/gzip"],
  ["[(]\xb5/\xfd", "application/zstd"],
  ["\xfd7zXZ\0", "application/x-xz"],
  ["7z\xbc\xaf'\x1c", "application/x-7z-compressed"],
  ["\0asm", "application/wasm"],
  ["\x7fELF", "application/x-elf"],
  ["SQLite format 3\0", "application/vnd.sqlite3"],
  ["wOFF.{4}\0", "font/woff"],
  ["wOF2.{4}\0", "font/woff2"],
]);

const UNKNOWN = "application/octet-stream";
const TEXT = "; charset=utf-8";

/**
 * What no signature shows, or not always. Types that end in a character set are given to texts only, and texts get
 * no others.
 */
const TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["bmp", "image/bmp"],
  ["ico", "image/x-icon"],
  ["tif", "image/tiff"],
  ["tiff", "image/tiff"],
  ["avif", "image/avif"],
  ["heic", "image/heic"],
  ["mp3", "audio/mpeg"],
  ["m4a", "audio/mp4"],
  ["aac", "audio/aac"],
  ["ogg", "audio/ogg"],
  ["oga", "audio/ogg"],
  ["opus", "audio/ogg"],
  ["wav", "audio/wav"],
  ["flac", "audio/flac"],
  ["aif", "audio/aiff"],
  ["aiff", "audio/aiff"],
  ["mid", "audio/midi"],
  ["midi", "audio/midi"],
  ["mp4", "video/mp4"],
  ["m4v", "video/mp4"],
  ["mov", "video/quicktime"],
  ["webm", "video/webm"],
  ["mkv", "video/x-matroska"],
  ["ogv", "video/ogg"],
  ["avi", "video/x-msvideo"],
  ["mpg", "video/mpeg"],
  ["mpeg", "video/mpeg"],
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["gz", "application/gzip"],
  ["tar", "application/x-tar"],
  ["bz2", "application/x-bzip2"],
  ["wasm", "application/wasm"],
  ["ttf", "font/ttf"],
  ["otf", "font/otf"],
  ["woff", "font/woff"],
  ["woff2", "font/woff2"],
  ["html", `text/html${TEXT}`],
  ["htm", `text/html${TEXT}`],
  ["css", `text/css${TEXT}`],
  ["csv", `text/csv${TEXT}`],
  ["js", `text/javascript${TEXT}`],
  ["mjs", `text/javascript${TEXT}`],
  ["md", `text/markdown${TEXT}`],
  ["xml", `text/xml${TEXT}`],
  ["json", `application/json${TEXT}`],
]);

/** The bytes that a signature may look at. */
const OPENING_BYTES = 64;

/** One piece of what may precede the root of an SVG. One at a time: (…)* would backtrack for ever. */
const PROLOG_PIECE = /^(?:\s+|<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE svg[^>[]*(?:\[[^\]]*\]\s*)?>)/is;

export interface MediaTypeOptions {
  /** Whether `head` is the whole file: then a code point cut off at its end is an error, and it is not text. */
  whole?: boolean;
}

export function mediaType(head: Uint8Array, { whole = false }: MediaTypeOptions = {}): string {
  const opening = String.fromCharCode(...head.subarray(0, OPENING_BYTES));
  for (const [pattern, type] of SIGNATURES) if (pattern.test(opening)) return type;

  const text = sniffText(head, whole);
  if (text === undefined) return UNKNOWN;
  return isSvg(text) ? "image/svg+xml" : `text/plain${TEXT}`;
}

export interface NamedMediaType {
  readonly type: string;
  /** Whether the content says so. */
  readonly isProven: boolean;
}

/** For a whole file. */
export function mediaTypeOf(name: string, bytes: Uint8Array): NamedMediaType {
  const found = mediaType(bytes, { whole: true });
  const named = typeByName(name);
  const general = named?.endsWith(TEXT) === true ? `text/plain${TEXT}` : UNKNOWN;
  const isOpen = found === general || bytes.length === 0;
  return named === undefined || !isOpen ? { type: found, isProven: true } : { type: named, isProven: false };
}

/** A file's type by its name, which is no proof; undefined if that says nothing. */
export function typeByName(name: string): string | undefined {
  return TYPES_BY_EXTENSION.get(/\.([a-z0-9]+)$/.exec(name.toLowerCase())?.[1] ?? "");
}

/** Without the character set, where text is always UTF-8. */
export function plainType(type: string): string {
  return type.endsWith(TEXT) ? type.slice(0, -TEXT.length) : type;
}

function sniffText(head: Uint8Array, whole: boolean): string | undefined {
  if (looksBinary(head)) return undefined;
  const sample = head.subarray(0, SNIFFED_BYTES);
  const complete = whole && sample.length === head.length;
  return decodeUtf8(complete ? sample : sample.subarray(0, utf8Boundary(sample)));
}

function isSvg(text: string): boolean {
  let rest = text;
  for (let piece = PROLOG_PIECE.exec(rest); piece !== null; piece = PROLOG_PIECE.exec(rest)) {
    rest = rest.slice(piece[0].length);
  }
  return /^<svg[\s/>]/.test(rest);
}

function compile(table: readonly (readonly [pattern: string, type: string])[]): [RegExp, string][] {
  return table.map(([pattern, type]) => [new RegExp(`^(?:${pattern})`, "s"), type]);
}
