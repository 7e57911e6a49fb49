/** The tables of a store. docs/guides/undo.md describes them for those who read a store with other programs. */
import { IS_UNFINISHED } from "./records.ts";

export const SCHEMA_VERSION = 1;
/** "padk": identifies a file as one of ours. */
export const APPLICATION_ID = 0x7061646b;

const STATE_COLUMNS = (side: "before" | "after") =>
  `${side}_kind text, ${side}_mode integer, ${side}_uid integer, ${side}_gid integer,
  ${side}_size integer, ${side}_hash text, ${side}_target text, ${side}_kept text`;

export const SCHEMA = `
create table info (key text primary key, value text not null) strict, without rowid;
create table change (
  seq integer primary key autoincrement,
  id text not null unique,
  time integer not null,          -- milliseconds since 1970
  tool text not null,             -- "person" for what was changed by other programs
  client text,
  session text,
  summary text not null,
  state text not null,            -- open, made, running, failed
  writer text,                    -- who writes it: the name of a file in live/ that stays locked meanwhile
  why_not text,                   -- why it cannot be undone, if it cannot
  undoes text,                    -- the ids of the changes that it undoes, separated by spaces
  undone_by text,                 -- the id of the change that has undone it
  also_root text,                 -- the same call's change in another root
  also_id text
) strict;
create index change_running on change (state) where ${IS_UNFINISHED};
create table step (
  change integer not null references change (seq) on delete cascade,
  n integer not null,
  op text not null,               -- put, splice, move
  path text not null,             -- relative to the root, with / between names
  dest text,                      -- of a move
  offset integer, cut text, added text, -- of a splice
  ${STATE_COLUMNS("before")},
  ${STATE_COLUMNS("after")},
  made integer,                   -- 1: it has happened, 0: it has not, null: not known yet
  primary key (change, n)
) strict, without rowid;
create index step_path on step (path, change);
create index step_dest on step (dest, change) where dest is not null;
create index step_before on step (before_hash) where op = 'splice';
create index step_after on step (after_hash) where op = 'splice';
create table content (
  hash text primary key,          -- sha256 of the content
  size integer not null,
  packed integer not null,        -- 1: data is deflated (raw), 0: as it is
  data blob not null
) strict;
create table trash (
  name text primary key,
  change integer not null,        -- the change that removed it
  entries integer, bytes integer  -- null until it has been measured
) strict, without rowid;
pragma user_version = ${SCHEMA_VERSION};
pragma application_id = ${APPLICATION_ID};
`;
