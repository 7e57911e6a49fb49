/**
 * The permissions of the executable: what main.ts needs to read its settings and to set up the fence. The
 * server itself runs in a Worker that gets only part of them (src/sandbox/plan.ts). Nothing else is ever
 * granted: there is no prompt, and no way to start programs or import code.
 */
import { FLAGS } from "../src/cli/flags.ts";

/** In addition to those of the flags. */
const OTHER_VARIABLES = [
  ...["HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME", "CODEX_HOME"], // for `setup`
  ...["XDG_STATE_HOME", "LOCALAPPDATA"], // where changes are recorded for undo
  "NO_COLOR",
  ...["LOG_STREAM", "LOG_TOKENS"], // the YAML library reads them when it is loaded
];

export function environmentVariables(): string[] {
  return [...FLAGS.flatMap((flag) => "env" in flag ? [flag.env] : []), ...OTHER_VARIABLES];
}

export function permissionFlags(): string[] {
  return [
    "--allow-read", // the directories, known only at startup; config, token, user and group names
    "--allow-write", // the same directories: a Worker cannot have more than main
    "--allow-net", // the listening address, also known only at startup
    `--allow-env=${environmentVariables().join(",")}`, // the documented ones, and no others
    "--allow-ffi", // the C library, for the kernel fence; Workers give this up once it is in force
    "--allow-sys", // the umask, which has no permission of its own
    "--no-prompt", // a client at the other end of a pipe cannot answer a prompt
  ];
}
