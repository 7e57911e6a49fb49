import { assertEquals } from "@std/assert";
import { mediaType, mediaTypeOf } from "../../src/engine/media.ts";
import { encodeUtf8 } from "../../src/text/utf8.ts";

const TEXT = "text/plain; charset=utf-8";
const UNKNOWN = "application/octet-stream";

/** How files of each format begin, in hex. */
const HEADS: [what: string, head: string, type: string][] = [
  ["PNG", "89504e470d0a1a0a0000000d494844520000024c000000f2", "image/png"],
  ["JPEG", "ffd8ffe000104a46494600010101000100010000ffdb0043", "image/jpeg"],
  ["JPEG with EXIF", "ffd8ffe1001845786966000049492a00", "image/jpeg"],
  ["GIF 89a", "47494638396110001000f53f00ebbb18ebbe21f3c11afac7", "image/gif"],
  ["GIF 87a", "47494638376110001000f30000", "image/gif"],
  ["WebP", "52494646a801000057454250565038580a00000010000000", "image/webp"],
  ["BMP", "424d8a040000000000008a0000007c000000100000001000", "image/bmp"],
  ["ICO", "000001000400101000000100200068040000460000002020", "image/x-icon"],
  ["TIFF, little-endian", "49492a000804000000000000000000000000000000000000", "image/tiff"],
  ["TIFF, big-endian", "4d4d002a00000008000f00fe0004", "image/tiff"],
  ["AVIF", "00000020667479706176696600000000617669666d6966316d6961664d413141", "image/avif"],
  ["AVIF of brand mif1", "00000020667479706d696631000000006d696631617669666d6961664d413142", "image/avif"],
  ["HEIC", "000000246674797068656963000000006d6966314d6948454d6950726d6961664d69484268656963", "image/heic"],
  ["HEIC of brand mif1", "00000018667479706d696631000000006d69663168656963", "image/heic"],
  ["HEIF", "00000014667479706d696631000000006d696631", "image/heif"],
  ["M4A", "0000001c667479704d344120000002004d34412069736f6d69736f32", "audio/mp4"],
  ["MP4", "000000206674797069736f6d0000020069736f6d69736f32617663316d703431", "video/mp4"],
  ["MP4 of brand mp42", "00000018667479706d703432000000006d70343269736f6d", "video/mp4"],
  ["QuickTime", "00000014667479707174202000000200717420200000000877696465", "video/quicktime"],
  ["WebM", "1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104", "video/webm"],
  ["Matroska", "1a45dfa3a34286810142f7810142f2810442f381084282886d6174726f736b61", "video/x-matroska"],
  ["Ogg Vorbis", "4f67675300020000000000000000e2a8c46b00000000c97c7cb3011e01766f72626973", "audio/ogg"],
  ["Ogg Opus", "4f676753000200000000000000007d5c1b2e00000000a3f1b7c001134f70757348656164", "audio/ogg"],
  ["Ogg Theora", "4f676753000200000000000000001be3c24d00000000b1a0d2e4012a807468656f7261030201", "video/ogg"],
  ["WAV", "524946462700000057415645666d74201000000001000100401f0000401f0000", "audio/wav"],
  ["FLAC", "664c61430000002210001000000006002b3e0ac442f0", "audio/flac"],
  ["MP3 with ID3", "49443304000000000016545353450000000c0000034c6176", "audio/mpeg"],
  ["MP3 frame, MPEG 1", "fffb906400000000000000000000", "audio/mpeg"],
  ["MP3 frame, MPEG 2", "fff348c400000000000000000000", "audio/mpeg"],
  ["MP3 frame, MPEG 2.5", "ffe318c400000000000000000000", "audio/mpeg"],
  ["AAC in ADTS", "fff15080022ffcde04004c61766335382e", "audio/aac"],
  ["PDF", "255044462d312e350a25d0d4c5d80a312030206f626a0a3c", "application/pdf"],
  ["zip", "504b03041400000000002a96705d0088590b180000001800000005000000742e", "application/zip"],
  ["empty zip", "504b0506000000000000000000000000000000000000", "application/zip"],
  ["gzip", "1f8b08083050fb6a0003742e74787400cb48cdc9c957c840", "application/gzip"],
  ["zstd", "28b52ffd24186d00003868656c6c6f200a0100994b11a87c2ea8", "application/zstd"],
  ["xz", "fd377a585a000004e6d6b4460200210116000000742fe5a3", "application/x-xz"],
  ["7z", "377abcaf271c0004f1b2a4c91f00000000000000", "application/x-7z-compressed"],
  ["wasm", "0061736d0100000001070160027f7f017f", "application/wasm"],
  ["ELF", "7f454c4602010100000000000000000003003e0001000000", "application/x-elf"],
  ["SQLite", "53514c69746520666f726d617420330010000101004020200000000100000002", "application/vnd.sqlite3"],
  ["WOFF", "774f464600010000000063d80012000000", "font/woff"],
  ["WOFF2", "774f4632000100000000afbc0011000000018a6c0000af59", "font/woff2"],
  ["UTF-16 text", "fffe680065006c006c006f00", UNKNOWN],
  ["Latin-1 text that begins as BMP does", "424d57206dfc737374652c", UNKNOWN],
  ["text with a NUL", "61620063", UNKNOWN],
  ["random bytes", "8f3a91c4d2e87b", UNKNOWN],
];

for (const [what, head, type] of HEADS) {
  Deno.test(`mediaType returns ${type} for ${what}`, () => assertEquals(mediaType(bytesOf(head)), type));
}

const TEXTS: [text: string, type: string][] = [
  ["", TEXT],
  ["hello\n", TEXT],
  ["\uFEFFgrüße 😀", TEXT],
  ["BMW and ID3, OggS, fLaC", TEXT],
  ["ID3 tags hold titles", TEXT],
  ["OggSomething", TEXT],
  ["fLaC is short for", TEXT],
  ["wOFF is a font format", TEXT],
  ["PK stands for", TEXT],
  ["The ftypM4A box", TEXT],
  ["<html><svg></svg></html>", TEXT],
  ["<svgfoo>", TEXT],
  ["<!-- <svg> -->", TEXT],
  ["<?php echo 1 ?><svg>", TEXT],
  ["<!-- never closed <svg>", TEXT],
  ["<!----><".repeat(1000), TEXT],
  ["<!---->".repeat(1000) + "<", TEXT],
  ["<svg>", "image/svg+xml"],
  ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 199.7 184.2">\n', "image/svg+xml"],
  ['\uFEFF<?xml version="1.0"?>\n<!-- a > b\n -->\n<svg\n', "image/svg+xml"],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">\n<svg>', "image/svg+xml"],
  ['<!DOCTYPE svg [\n<!ENTITY ns "http://www.w3.org/2000/svg">\n]>\n<svg xmlns="&ns;">', "image/svg+xml"],
];

for (const [text, type] of TEXTS) {
  Deno.test(`mediaType returns ${type} for ${JSON.stringify(text.slice(0, 60))}, ${text.length} long`, () => {
    assertEquals(mediaType(encodeUtf8(text)), type);
  });
}

Deno.test("mediaType accepts a code point cut off at the end as text unless the file ends there", () => {
  const head = encodeUtf8("naïve €").subarray(0, -1);
  assertEquals(mediaType(head), TEXT);
  assertEquals(mediaType(head, { whole: true }), UNKNOWN);
});

Deno.test("mediaType judges by the first 8,192 bytes if it gets more", () => {
  const bytes = encodeUtf8("a" + "é".repeat(5000));
  bytes[9000] = 0;
  assertEquals(mediaType(bytes, { whole: true }), TEXT);
});

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

const NAMED: [name: string, bytes: Uint8Array, type: string, isProven: boolean][] = [
  ["a.png", bytesOf("89504e470d0a1a0a0000000d49484452"), "image/png", true],
  ["a.txt", bytesOf("89504e470d0a1a0a0000000d49484452"), "image/png", true],
  ["a.mp3", bytesOf("89504e470d0a1a0a0000000d49484452"), "image/png", true],
  ["a.mp3", bytesOf("0000000000000000fffb9064"), "audio/mpeg", false], // padding before the first frame
  ["dir.png/A.MP3", bytesOf("0000000000000000fffb9064"), "audio/mpeg", false],
  ["a.png", bytesOf(""), "image/png", false],
  ["dir.png/a", bytesOf("00010203"), UNKNOWN, true],
  ["a.unknown", bytesOf("00010203"), UNKNOWN, true],
  ["a.constructor", bytesOf("00010203"), UNKNOWN, true],
  ["a.png", encodeUtf8("not an image\n"), TEXT, true],
  ["a.json", encodeUtf8("{}\n"), "application/json; charset=utf-8", false],
  ["a.html", encodeUtf8("<p>\n"), "text/html; charset=utf-8", false],
  ["b.json", bytesOf("00010203"), UNKNOWN, true],
];

for (const [name, bytes, type, isProven] of NAMED) {
  Deno.test(`mediaTypeOf returns ${type} for ${name} of ${bytes.length} bytes`, () => {
    assertEquals(mediaTypeOf(name, bytes), { type, isProven });
  });
}
