/**
 * The shape of the config file, as a zod schema: what decides whether a file is valid, and what the JSON Schema
 * for editors is made of. The keys that are also flags come from the flags' records.
 */
import { z } from "zod";
import { DEFAULTS, type FlagRecord, FLAGS } from "./flags.ts";
import { ROOT_NAME } from "./root_dirs.ts";
import { UNDO_DEFAULTS } from "./undo.ts";
import type { TextCheck, ValueKind } from "./values.ts";

/** The most that --max-size allows too. */
export const LARGEST_FULL_READ = 100 * 1024 * 1024;

export const rootSchema = z.strictObject({
  name: z.string().regex(ROOT_NAME).meta({
    description: "Name by which clients address the root; unique.",
    examples: ["workspace"],
  }),
  path: z.string().min(1).meta({
    description: "Directory to serve. A relative path starts from the config file's folder.",
    examples: ["/data/workspace"],
  }),
  allowed_tools: z.array(z.string().min(1)).min(1).meta({
    description: "Tools that may be used on the root, or * for all of them.",
    examples: [["*"], ["list_folder", "read_file", "grep"]],
  }),
  protect_git: z.boolean().optional().meta({
    description: "Whether what lies inside a .git folder may be read but not changed.",
    default: true,
  }),
});

export const undoSchema = z.strictObject({
  dir: z.string().min(1).optional().meta({
    description: "Folder of the records. A relative path starts from the config file's folder.",
    examples: ["/var/lib/paddock"],
  }),
  keep_days: z.int().min(1).max(3_650).optional().meta({
    description: "Changes older than this are forgotten.",
    default: UNDO_DEFAULTS.keepDays,
  }),
  max_mb: z.int().min(1).max(1_048_576).optional().meta({
    description: "What the records of one root may take; the oldest changes are forgotten beyond that.",
    default: UNDO_DEFAULTS.maxMb,
  }),
  max_change_mb: z.int().min(1).max(1_048_576).optional().meta({
    description: "What may be copied so that one change can be undone.",
    default: UNDO_DEFAULTS.maxChangeMb,
  }),
  exclude: z.array(z.string().min(1)).optional().meta({
    description: "Globs of paths whose changes are not recorded.",
    examples: [["*.log", "build/**"]],
  }),
});

export const configFileSchema = z.strictObject({
  ...flagFields(),
  max_full_read_size: z.int().min(1).max(LARGEST_FULL_READ).optional().meta({
    description: "Largest file, in bytes, that read_file returns whole.",
    default: DEFAULTS.maxFullReadSize,
  }),
  undo: z.union([z.boolean(), undoSchema]).optional().meta({
    description: "Whether changes are recorded so that they can be undone, and how.",
    default: false,
  }),
  roots: z.array(rootSchema).min(1).meta({ description: "The directories to serve." }),
});

function flagFields(): Record<string, z.ZodType> {
  const fields: Record<string, z.ZodType> = {};
  const records: readonly FlagRecord[] = FLAGS;
  for (const { fileKey, kind, description } of records) {
    if (fileKey !== undefined) fields[fileKey] = schemaOf(kind).optional().meta({ description });
  }
  return fields;
}

function schemaOf(kind: ValueKind): z.ZodType {
  switch (kind.type) {
    case "toggle":
      return z.boolean();
    case "integer":
      return z.int().min(kind.min).max(kind.max);
    case "choice":
      return z.enum(kind.choices);
    case "text":
      return z.string().min(1).refine((value) => passes(kind.check, value));
    case "list":
      return z.array(z.string().min(1).refine((value) => passes(kind.check, value)));
  }
}

function passes(check: TextCheck, value: string): boolean {
  return "value" in check(value);
}
