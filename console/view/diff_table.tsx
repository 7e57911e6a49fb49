/** A diff as a table of lines, in one column or two; long lines and long diffs are folded. */
import { useMemo, useRef, useState } from "preact/hooks";
import type { DiffLayout } from "../model/preferences.ts";
import { count, counted } from "../text/times.ts";
import { type DiffLine, type Hunk, type Pair, pairsOf, parseDiff } from "../text/unified_diff.ts";
import { changedWords, type Range } from "../text/words.ts";
import { useSize } from "./hooks.ts";
import { Shown } from "./text.tsx";

const LINES_AT_FIRST = 300;
const LINES_MORE = 1_000;
const CHARACTERS_AT_FIRST = 400;
const CHARACTERS_MORE = 20_000;
/** Below this width, two columns are too narrow to read. */
const SPLIT_PX = 640;

type Marks = ReadonlyMap<DiffLine, readonly Range[]>;

export function DiffTable({ diff, layout }: { diff: string; layout: DiffLayout }) {
  const hunks = useMemo(() => parseDiff(diff), [diff]);
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useSize(frame);
  const [most, setMost] = useState(LINES_AT_FIRST);
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const split = layout === "split" && width >= SPLIT_PX;
  const shown = useMemo(() => firstLines(hunks, most), [hunks, most]);
  return (
    <div class="diff-frame" ref={frame}>
      <table class={split ? "diff is-split" : "diff is-inline"}>
        <colgroup>
          <col class="diff-number" />
          {split ? <col /> : <col class="diff-number" />}
          {split ? <col class="diff-number" /> : <col />}
          {split && <col />}
        </colgroup>
        {shown.map((hunk, i) => <HunkRows key={i} hunk={hunk} split={split} />)}
      </table>
      {total > most && (
        <button
          type="button"
          class="button quiet unfold"
          onClick={() => setMost(most + LINES_MORE)}
        >
          Show {counted(Math.min(LINES_MORE, total - most), "more line")} of {count(total - most)}
        </button>
      )}
    </div>
  );
}

function firstLines(hunks: readonly Hunk[], most: number): Hunk[] {
  const shown: Hunk[] = [];
  for (const hunk of hunks) {
    if (most <= 0) break;
    shown.push(hunk.lines.length <= most ? hunk : { ...hunk, lines: hunk.lines.slice(0, most) });
    most -= hunk.lines.length;
  }
  return shown;
}

function HunkRows({ hunk, split }: { hunk: Hunk; split: boolean }) {
  const pairs = useMemo(() => pairsOf(hunk.lines), [hunk]);
  const marks = useMemo(() => marksOf(pairs), [pairs]);
  return (
    <tbody>
      {(hunk.skipped > 0 || hunk.heading !== "") && (
        <tr class="diff-gap">
          <td colSpan={split ? 4 : 3}>
            {hunk.skipped > 0 && <>{counted(hunk.skipped, "unchanged line")}</>} <Shown text={hunk.heading} />
          </td>
        </tr>
      )}
      {split
        ? pairs.map((pair, i) => <SplitRow key={i} pair={pair} marks={marks} />)
        : hunk.lines.map((line, i) => <InlineRow key={i} line={line} marks={marks} />)}
    </tbody>
  );
}

function marksOf(pairs: readonly Pair[]): Marks {
  const marks = new Map<DiffLine, readonly Range[]>();
  for (const { left, right } of pairs) {
    if (left === null || right === null || left === right) continue;
    const words = changedWords(left.text, right.text);
    if (words === null) continue;
    marks.set(left, words.left);
    marks.set(right, words.right);
  }
  return marks;
}

function InlineRow({ line, marks }: { line: DiffLine; marks: Marks }) {
  return (
    <tr class={`line is-${line.kind}`}>
      <td class="number">{line.before}</td>
      <td class="number">{line.after}</td>
      <Code line={line} marks={marks} />
    </tr>
  );
}

function SplitRow({ pair: { left, right }, marks }: { pair: Pair; marks: Marks }) {
  return (
    <tr class="line">
      <td class={`number ${left === null ? "is-none" : `is-${left.kind}`}`}>{left?.before}</td>
      {left === null ? <td class="code is-none" /> : <Code line={left} marks={marks} />}
      <td class={`number ${right === null ? "is-none" : `is-${right.kind}`}`}>{right?.after}</td>
      {right === null ? <td class="code is-none" /> : <Code line={right} marks={marks} />}
    </tr>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

function Code({ line, marks }: { line: DiffLine; marks: Marks }) {
  const [most, setMost] = useState(CHARACTERS_AT_FIRST);
  const { text, kind } = line;
  const cut = text.length > most + 80 ? cutBetweenPairs(text, most) : text.length;
  return (
    <td class={`code is-${kind}`}>
      <span class="sign">{SIGNS[kind]}</span>
      <span class="code-text">
        <Marked text={text.slice(0, cut)} ranges={marks.get(line) ?? []} kind={kind} />
      </span>
      {cut < text.length && (
        <button
          type="button"
          class="link unfold-line"
          onClick={() => setMost(most + CHARACTERS_MORE)}
        >
          {count(text.length - cut)} more characters
        </button>
      )}
      {line.noNewline && (
        <span class="no-newline" title="The file does not end with a newline">no newline</span>
      )}
    </td>
  );
}

/** Never inside a surrogate pair. */
function cutBetweenPairs(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) ? at - 1 : at;
}

function Marked({ text, ranges, kind }: { text: string; ranges: readonly Range[]; kind: DiffLine["kind"] }) {
  const parts = [];
  let from = 0;
  for (const [begin, end] of ranges) {
    if (begin >= text.length) break;
    if (begin > from) parts.push(<Shown key={from} text={text.slice(from, begin)} tabs />);
    const marked = <Shown text={text.slice(begin, end)} tabs />;
    parts.push(
      kind === "added" ? <ins key={`m${begin}`}>{marked}</ins> : <del key={`m${begin}`}>{marked}</del>,
    );
    from = end;
  }
  if (from < text.length) parts.push(<Shown key={from} text={text.slice(from)} tabs />);
  return <>{parts}</>;
}
