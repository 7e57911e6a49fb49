/**
 * The shape of the config file as a zod schema: it decides whether a file is valid, and the JSON Schema for
 * editors is generated from it. The keys that are also flags come from the flags' records.
 */
import { z } from "zod";
import { DEFAULTS, type FlagRecord, FLAGS } from "./flags.ts";
import { ROOT_NAME } from "./root_dirs.ts";
import { UNDO_DEFAULTS } from "./undo.ts";
import type { TextCheck, ValueKind } from "./values.ts";

/** Also the most that --max-size allows. */
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
    description: "Whether to make the contents of .git folders read-only.",
    default: true,
  }),
});

export const undoSchema = z.strictObject({
  dir: z.string().min(1).optional().meta({
    description: "Folder for the undo records. A relative path starts from the config file's folder.",
    examples: ["/var/lib/paddock"],
  }),
  keep_days: z.int().min(1).max(3_650).optional().meta({
    description: "Days after which changes are forgotten.",
    default: UNDO_DEFAULTS.keepDays,
  }),
  max_mb: z.int().min(1).max(1_048_576).optional().meta({
    description: "Size limit, in MB, of one root's records; beyond it the oldest changes are forgotten.",
    default: UNDO_DEFAULTS.maxMb,
  }),
  max_change_mb: z.int().min(1).max(1_048_576).optional().meta({
    description: "Size limit, in MB, of the copies kept to undo one change.",
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
