/** Undo and restore: what would happen, the question, and any conflict. */
import type { Change, Conflict, Preview } from "../../src/console/api_types.ts";
import type { Act, Wish } from "../model/act.ts";
import type { ApiError } from "../model/api.ts";
import type { Console } from "../model/console.ts";
import { NO_FILTERS, timeline } from "../model/route.ts";
import { sentence } from "../text/sentence.ts";
import { counted, fullTime } from "../text/times.ts";
import { Dialog } from "./dialog.tsx";
import { FileList } from "./files.tsx";
import { Icon } from "./icons.tsx";
import { Link } from "./link.tsx";
import { Summary } from "./rows.tsx";
import { Failed, Loading, Note } from "./states.tsx";
import { Shown } from "./text.tsx";
import { useStore } from "./hooks.ts";

export function ActDialog({ app }: { app: Console }) {
  const act = useStore(app.acts.current);
  if (act === null) return null;
  const cancel = () => app.acts.cancel();
  const asks = act.state === "asking" || act.state === "doing";
  const nothing = asks && act.preview.nothing;
  return (
    <Dialog
      title={titleOf(act)}
      wide
      onClose={cancel}
      foot={
        <>
          {asks && !nothing && (
            <button
              type="button"
              class="button primary danger"
              disabled={act.state === "doing"}
              onClick={() => app.acts.confirm()}
            >
              {act.state === "doing" ? "Working…" : confirmation(act.wish)}
            </button>
          )}
          <button type="button" class="button" disabled={act.state === "doing"} onClick={cancel}>
            {asks && !nothing ? "Cancel" : "Close"}
          </button>
          <span class="muted foot-note">
            {asks && !nothing
              ? "Nothing changes until you confirm."
              : asks
              ? ""
              : act.state === "failed"
              ? "Nothing was changed."
              : ""}
          </span>
        </>
      }
    >
      <Subject app={app} wish={act.wish} />
      {act.state === "previewing" && <Loading what="the preview" />}
      {act.state === "failed" && act.error !== null && <Refused app={app} act={act} error={act.error} />}
      {asks && <Asking app={app} preview={act.preview} renewed={act.renewed} />}
    </Dialog>
  );
}

function titleOf({ state, wish, ...rest }: Act): string {
  const undo = wish.kind === "undo";
  if (state === "failed" && "error" in rest && rest.error?.code === "CONFLICT") {
    return undo ? "This change can’t be undone on its own" : "This version can’t be restored";
  }
  return undo ? "Undo this change?" : "Restore this version?";
}

function confirmation(wish: Wish): string {
  return wish.kind === "undo" ? "Undo this change" : "Restore this version";
}

function Subject({ app, wish }: { app: Console; wish: Wish }) {
  if (wish.kind === "undo") {
    return (
      <p class="act-subject">
        <SubjectOfUndo change={wish.change} />
      </p>
    );
  }
  return (
    <p class="act-subject">
      <span class="mono">
        <Shown text={wish.path} />
      </span>{" "}
      in <Shown text={app.nameOf(wish.source)} />, as it was right after the change on {fullTime(wish.when)}
    </p>
  );
}

function SubjectOfUndo({ change }: { change: Change }) {
  return (
    <>
      <Summary change={change} /> <span class="muted when">{fullTime(change.time)}</span>
    </>
  );
}

function Asking({ app, preview, renewed }: { app: Console; preview: Preview; renewed: boolean }) {
  return (
    <>
      {renewed && (
        <div role="alert">
          <Note icon="warning" tone="warning">
            The files changed after the preview, so nothing was done. Here is a new preview.
          </Note>
        </div>
      )}
      {preview.merged.length > 0 && (
        <Note icon="branch">
          Changed again since. Those later edits are kept: <Names paths={preview.merged} />
        </Note>
      )}
      {preview.skipped.map(({ path, reason }) => (
        <Note icon="warning" tone="warning" key={path}>
          <span class="mono">
            <Shown text={path} />
          </span>{" "}
          stays as it is: <Shown text={reason} />
        </Note>
      ))}
      {preview.unknown > 0 && (
        <Note icon="warning">
          {counted(preview.unknown, "path")} {preview.unknown === 1 ? "stays as it is" : "stay as they are"}
          {" "}
          because the earlier content is not known.
        </Note>
      )}
      {preview.also.map(({ root, id }) => (
        <Note icon="folder" key={id}>
          The same call also changed the root <Shown text={root} /> (
          <span class="mono">
            <Shown text={id} />
          </span>). That part is not undone.
        </Note>
      ))}
      {preview.nothing
        ? <Note icon="check">Nothing to do: the files already look like this.</Note>
        : <FileList app={app} files={preview.files} fileCount={preview.file_count} change={null} />}
    </>
  );
}

function Names({ paths }: { paths: readonly string[] }) {
  return (
    <span class="mono">
      {paths.slice(0, 10).map((path, i) => (
        <span key={path}>
          {i > 0 && ", "}
          <Shown text={path} />
        </span>
      ))}
      {paths.length > 10 && ` and ${paths.length - 10} more`}
    </span>
  );
}

function Refused({ app, act, error }: { app: Console; act: Act; error: ApiError }) {
  if (error.code !== "CONFLICT") return <Failed error={error} again={() => app.acts.begin(act.wish)} />;
  return (
    <div class="conflict" role="alert">
      <p class="conflict-what">
        <Icon name="warning" />
        <span>
          <Shown text={sentence(error.message)} />
        </span>
      </p>
      {error.conflict !== null && <Why app={app} wish={act.wish} conflict={error.conflict} />}
    </div>
  );
}

function Why(
  { app, wish, conflict: { path, lines, later } }: { app: Console; wish: Wish; conflict: Conflict },
) {
  const source = wish.kind === "undo" ? wish.change.source : wish.source;
  return (
    <>
      <dl class="facts is-column">
        <div>
          <dt>File</dt>
          <dd class="mono">
            <Shown text={path} />
          </dd>
        </div>
        {lines !== null && (
          <div>
            <dt>{lines.first === lines.last ? "Line" : "Lines"}</dt>
            <dd>{lines.first === lines.last ? lines.first : `${lines.first} to ${lines.last}`}</dd>
          </div>
        )}
        <div>
          <dt>Changed by</dt>
          <dd>
            {later === null ? "a person or another program" : (
              <>
                <Link app={app} to={timeline(NO_FILTERS, { source, id: later.id })}>
                  <span class="mono">
                    <Shown text={later.tool} /> <Shown text={later.id} />
                  </span>
                </Link>
                {later.client !== null && (
                  <>
                    {" "}
                    by <Shown text={later.client} />
                  </>
                )}
              </>
            )}
          </dd>
        </div>
      </dl>
      <p>
        {later === null
          ? "These lines were edited outside paddock, and such edits are never overwritten. Edit the file yourself, or restore it from its history."
          : "Both changes touch the same lines. Undo the later one first, then this one, or restore the file from its history."}
      </p>
      <Link app={app} to={{ view: "file", source, path, version: null }} class="button small">
        <Icon name="clock" />History of this file
      </Link>
    </>
  );
}
