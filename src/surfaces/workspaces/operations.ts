/** Several changes at once as a client gives them: what each kind takes, and the name of the commit. */
import * as s from "../../tools/schema/mod.ts";
import { PaddockError } from "../../base/errors.ts";
import type { Operation } from "../../engine/history/mod.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { textArgument } from "../../tools/schemas.ts";
import { editsArgument, editText } from "./string_edits.ts";

const KINDS = ["write", "edit", "delete", "move", "mkdir"] as const;

const place = s.string().max(4_096).optional();

export const changesArgument = s.array(s.strictObject({
  op: s.choice(KINDS),
  path: place,
  content: textArgument.optional(),
  edits: editsArgument.optional(),
  source: place,
  destination: place,
})).min(1).max(1_000);

type Change = s.Output<typeof changesArgument>[number];
type Field = Exclude<keyof Change, "op">;

/** What each kind takes, and an example of it. */
const TAKES: Record<Change["op"], readonly Field[]> = {
  write: ["path", "content"],
  edit: ["path", "edits"],
  delete: ["path"],
  move: ["source", "destination"],
  mkdir: ["path"],
};

const EXAMPLES: Record<Change["op"], string> = {
  write: '{"op":"write","path":"a.txt","content":"…"}',
  edit: '{"op":"edit","path":"a.txt","edits":[{"oldText":"…","newText":"…"}]}',
  delete: '{"op":"delete","path":"a.txt"}',
  move: '{"op":"move","source":"a.txt","destination":"b.txt"}',
  mkdir: '{"op":"mkdir","path":"a"}',
};

/** Throws for the first that has too few or too many fields. */
export function operationsOf(changes: readonly Change[], signal: AbortSignal): Operation[] {
  return changes.map((change, index) => {
    const { op } = change;
    checkFields(change, index);
    const { path = "", content = "", source = "", destination = "", edits = [] } = change;
    switch (op) {
      case "write":
        return { op, path, bytes: encodeUtf8(content) };
      case "edit":
        return {
          op,
          path,
          edit: (text) => editText(text, edits, { path, list: `changes[${index}].edits`, signal }),
        };
      case "move":
        return { op, source, destination };
      default:
        return { op, path };
    }
  });
}

function checkFields(change: Change, index: number): void {
  const given = FIELDS.filter((field) => change[field] !== undefined);
  const wanted = TAKES[change.op];
  const missing = wanted.filter((field) => !given.includes(field) || isEmpty(change, field));
  const extra = given.filter((field) => !wanted.includes(field) && !isEmpty(change, field));
  if (missing.length === 0 && extra.length === 0) return;
  const what = [
    ...(missing.length === 0 ? [] : [`${missing.join(" and ")} missing`]),
    ...(extra.length === 0 ? [] : [`${extra.join(" and ")} not allowed`]),
  ].join(", ");
  throw new PaddockError(
    "INVALID_INPUT",
    `changes[${index}] (${change.op}): ${what}; write it as ${EXAMPLES[change.op]}. Nothing was changed.`,
    { data: { changeIndex: index } },
  );
}

const FIELDS: readonly Field[] = ["path", "content", "edits", "source", "destination"];

/** Some clients send empty values for what they leave out; an empty content is a value. */
function isEmpty(change: Change, field: Field): boolean {
  return field !== "content" && change[field]?.length === 0;
}

/** The first line of the commit's message. */
export function summaryOf(changes: readonly Change[], message: string | undefined): string {
  if (message !== undefined && message.trim() !== "") return message;
  const paths = [...new Set(changes.map(({ path, destination }) => path ?? destination ?? ""))];
  const [first = "", second] = paths;
  if (second === undefined) return `Change ${first}`;
  return paths.length === 2
    ? `Change ${first} and ${second}`
    : `Change ${first} and ${paths.length - 1} more`;
}
