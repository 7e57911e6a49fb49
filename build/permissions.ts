/**
 * The permissions of the executable: what main.ts needs to read its settings and to put the fence up. The server
 * itself runs in a Worker that gets a part of them (src/sandbox/plan.ts). Nothing that is not here is ever
 * granted: there is no prompt, and no way to start programs or import code.
 */
import { FLAGS } from "../src/cli/flags.ts";

/** Beside those of the flags. */
const OTHER_VARIABLES = [
  ...["HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME", "CODEX_HOME"], // where the clients that `setup` writes to keep theirs
  ...["XDG_STATE_HOME", "LOCALAPPDATA"], // where changes are recorded so that they can be undone
  "NO_COLOR",
  ...["LOG_STREAM", "LOG_TOKENS"], // the YAML library looks at them when it is loaded
];

export function environmentVariables(): string[] {
  return [...FLAGS.flatMap((flag) => "env" in flag ? [flag.env] : []), ...OTHER_VARIABLES];
}

export function permissionFlags(): string[] {
  return [
    "--allow-read", // the directories are known only when it is started; config, token, user and group names
    "--allow-write", // the same directories: a Worker can be given no more than main has
    "--allow-net", // the address that is listened on is known only then, too
    `--allow-env=${environmentVariables().join(",")}`, // those that are documented, and no others
    "--allow-ffi", // the C library, for the kernel's fence; Workers give it back when that stands
    "--allow-sys", // the umask, which has no name of its own among the permissions
    "--no-prompt", // a client at the other end of a pipe cannot answer
  ];
}
