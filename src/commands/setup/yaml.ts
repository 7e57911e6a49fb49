/**
 * A server in a client's YAML configuration: an item of a list, identified by its `name`. If there is no list yet,
 * one is appended to the text, which otherwise stays as it is; if there is, the document is changed and written
 * again, with its comments.
 */
import { type Document, isMap, isSeq, parseDocument, stringify, type YAMLMap, type YAMLSeq } from "yaml";
import type { Addition, Merged } from "./merge.ts";

const WIDE = { lineWidth: 0 };

export function showYaml({ key, name, entry }: Addition): string {
  return stringify({ [key]: [{ name, ...entry }] }, WIDE).trimEnd();
}

export function mergeYaml(before: string, wanted: Addition): Merged {
  const { key, name, entry } = wanted;
  const read = documentOf(before, key);
  if ("reason" in read) return read;
  const { doc, list } = read;
  if (list === undefined) {
    const head = before.trim() === "" || before.endsWith("\n") ? before : `${before}\n`;
    return { text: `${head}${showYaml(wanted)}\n` };
  }
  const item = itemOf(list, name);
  if (item === undefined) list.add(doc.createNode({ name, ...entry }));
  else {
    const known = item.toJSON();
    const isSame = Object.keys(entry).every((field) =>
      JSON.stringify(known[field]) === JSON.stringify(entry[field])
    );
    if (isSame) return { text: before };
    for (const [field, value] of Object.entries(entry)) item.set(field, doc.createNode(value));
  }
  return { text: doc.toString(WIDE) };
}

export function removeYaml(before: string, { key, name }: Omit<Addition, "entry">): Merged {
  const read = documentOf(before, key);
  if ("reason" in read) return read;
  const { doc, list } = read;
  const item = list === undefined ? undefined : itemOf(list, name);
  if (list === undefined || item === undefined) return { text: before };
  list.items.splice(list.items.indexOf(item), 1);
  return { text: doc.toString(WIDE) };
}

interface Read {
  doc: Document;
  list: YAMLSeq | undefined;
}

function documentOf(text: string, key: string): Read | { reason: string } {
  const doc = parseDocument(text, { logLevel: "error" });
  const [first] = doc.errors;
  if (first !== undefined) return { reason: `is not valid YAML (${first.message.split("\n")[0]})` };
  if (doc.contents === null) return { doc, list: undefined };
  if (!isMap(doc.contents)) return { reason: "is YAML, but not a map" };
  const list = doc.contents.get(key, true);
  if (list === undefined) return { doc, list: undefined };
  return isSeq(list) ? { doc, list } : { reason: `has ${JSON.stringify(key)}, but not as a list` };
}

function itemOf(list: YAMLSeq, name: string): YAMLMap | undefined {
  return list.items.find((item): item is YAMLMap => isMap(item) && item.get("name") === name);
}
