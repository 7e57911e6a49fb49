/** The files of a change or of a preview, each with its diff. */
import { useEffect, useState } from "preact/hooks";
import type { Change, FileDiff, FileSide } from "../../src/console/api_types.ts";
import { get } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import { layoutOfDiffs } from "../model/preferences.ts";
import { bytes, count, counted } from "../text/times.ts";
import { visibleText } from "../text/visible.ts";
import { DiffTable } from "./diff_table.tsx";
import { Icon } from "./icons.tsx";
import { LayoutSwitch } from "./layout_switch.tsx";
import { Link } from "./link.tsx";
import { PathText, Shown } from "./text.tsx";
import { useStore } from "./hooks.ts";

interface Props {
  readonly app: Console;
  readonly files: readonly FileDiff[];
  readonly fileCount: number;
  /** Null for a preview, whose files have no history yet. */
  readonly change: Change | null;
}

const OPEN_AT_FIRST = 12;
const DRAWN_AT_ONCE = 100;

export function FileList({ app, files, fileCount, change }: Props) {
  const [most, setMost] = useState(DRAWN_AT_ONCE);
  useStore(app.sources);
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <div class="files">
      <div class="files-bar">
        <span>{counted(fileCount, "file")}</span>
        <Counts added={added} removed={removed} />
        <LayoutSwitch />
      </div>
      {files.slice(0, most).map((file, i) => (
        <FileSection
          key={`${file.n} ${file.path}`}
          app={app}
          file={file}
          change={change}
          open={i < OPEN_AT_FIRST}
        />
      ))}
      {files.length > most && (
        <button
          type="button"
          class="button"
          onClick={() => setMost(most + DRAWN_AT_ONCE)}
        >
          Show {count(Math.min(DRAWN_AT_ONCE, files.length - most))} more files
        </button>
      )}
      {fileCount > files.length && (
        <p class="muted">{counted(fileCount - files.length, "more file")} not listed here.</p>
      )}
    </div>
  );
}

const STATUS = { created: "Added", changed: "Changed", removed: "Removed", moved: "Moved" } as const;

export function FileSection({ app, file: given, change, open: openAtFirst, plain = false }: {
  app: Console;
  file: FileDiff;
  change: Change | null;
  open: boolean;
  /** Without links to other views, where those are shown beside it. */
  plain?: boolean;
}) {
  const [open, setOpen] = useState(openAtFirst);
  const [whole, setWhole] = useState<FileDiff | null>(null);
  useEffect(() => setWhole(null), [given]);
  const file = whole ?? given;
  const path = file.to ?? file.path;
  const restores = change !== null && file.after.kind !== "absent" &&
    app.source(change.source)?.can_restore === true;
  return (
    <section class="file" aria-label={visibleText(path)}>
      <header class="file-head">
        <button
          type="button"
          class="button quiet icon-only small fold"
          aria-expanded={open}
          aria-label={`Diff of ${visibleText(path)}`}
          onClick={() => setOpen(!open)}
        >
          <Icon name="down" />
        </button>
        <span class={`status is-${file.status}`}>{STATUS[file.status]}</span>
        <h3 class="file-name">
          {file.to !== null && (
            <>
              <PathText path={file.path} /> <span class="muted">→</span>
              {" "}
            </>
          )}
          <PathText path={path} />
        </h3>
        <Counts added={file.added} removed={file.removed} />
        {change !== null && !plain && (
          <span class="file-acts">
            <Link
              app={app}
              to={{ view: "file", source: change.source, path, version: change.id }}
              class="button small quiet"
            >
              <Icon name="clock" />History
            </Link>
            {restores && (
              <button
                type="button"
                class="button small quiet"
                title="Restore this file as it was right after this change"
                onClick={() =>
                  app.acts.begin({
                    kind: "restore",
                    source: change.source,
                    path,
                    at: change.id,
                    when: change.time,
                  })}
              >
                Restore
              </button>
            )}
          </span>
        )}
      </header>
      {open && <Body app={app} file={file} change={change} onWhole={setWhole} />}
    </section>
  );
}

function Body({ app, file, change, onWhole }: {
  app: Console;
  file: FileDiff;
  change: Change | null;
  onWhole(file: FileDiff): void;
}) {
  const layout = useStore(layoutOfDiffs);
  const [asking, setAsking] = useState(false);
  const more = async () => {
    if (change === null) return;
    setAsking(true);
    try {
      onWhole(await get("diff", { query: { source: change.source, id: change.id, n: file.n } }));
    } catch (error) {
      app.tell(app.failed(error)?.message ?? "");
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <ModeChange file={file} />
      {(file.before.image !== null || file.after.image !== null) && <Images file={file} />}
      {file.diff !== null && file.diff !== ""
        ? <DiffTable diff={file.diff} layout={layout} />
        : file.before.image === null && file.after.image === null && (
          <p class="no-diff">{withoutDiff(file)}</p>
        )}
      {file.truncated && (
        <p class="no-diff">
          This diff is too long to show in full.{" "}
          {change !== null && (
            <button type="button" class="link" disabled={asking} onClick={more}>Show more</button>
          )}
        </p>
      )}
    </>
  );
}

function ModeChange({ file: { before, after } }: { file: FileDiff }) {
  if (before.mode === null || after.mode === null || before.mode === after.mode) return null;
  return (
    <p class="no-diff">
      Mode <span class="mono">{before.mode}</span> → <span class="mono">{after.mode}</span>
    </p>
  );
}

export function Counts({ added, removed }: { added: number; removed: number }) {
  if (added === 0 && removed === 0) return null;
  return (
    <span class="counts">
      <span class="added">+{count(added)}</span> <span class="removed">−{count(removed)}</span>
      <span class="sr-only">{counted(added, "line")} added, {removed} removed</span>
    </span>
  );
}

const WHY: Readonly<Record<string, string>> = {
  "too large": "Too large for a diff",
  "not kept": "The content was not kept, so there is no diff",
  folder: "Folder",
  moved: "Moved, with the same content",
  limit: "Not shown, because this change is large",
};

function withoutDiff(file: FileDiff): string {
  const { before, after, status } = file;
  const sizes = sizesOf(file);
  if (file.binary || file.no_diff === "binary") return `Binary file${sizes}`;
  const { target: from } = before;
  const { target: to } = after;
  if (from !== null || to !== null) {
    return `Link ${[from, to].filter((target) => target !== null).map(visibleText).join(" → ")}`;
  }
  const empty = status === "created" ? after.size === 0 : status === "removed" && before.size === 0;
  if (empty) return "Empty file";
  if (file.no_diff !== null) return `${WHY[file.no_diff] ?? file.no_diff}${sizes}`;
  return before.mode === after.mode ? "No lines differ" : "Only the mode changed";
}

function sizesOf({ before, after }: FileDiff): string {
  const sizes = [before, after].filter(({ kind, size }) => kind === "file" && size !== null).map(sizeOf);
  return sizes.length === 0 ? "" : `, ${sizes.join(" → ")}`;
}

function sizeOf({ size }: FileSide): string {
  return size === null ? "" : bytes(size);
}

function Images({ file }: { file: FileDiff }) {
  const path = visibleText(file.to ?? file.path);
  return (
    <div class="images">
      {([["Before", file.before], ["After", file.after]] as const).map(([when, side]) =>
        side.image !== null && (
          <figure key={when}>
            <img src={side.image} alt={`${when}: ${path}`} loading="lazy" />
            <figcaption>
              {when}, <Shown text={sizeOf(side)} />
            </figcaption>
          </figure>
        )
      )}
    </div>
  );
}
