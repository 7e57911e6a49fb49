/** Strange file systems with servers on them, shared by tests that do not disturb each other. */
import { serverCommand, TestServer } from "../../support/server.ts";
import { StrangeMounts } from "../../support/strange_fs/mount.ts";
import type { Traits } from "../../support/strange_fs/traits.ts";
import { tempFolder } from "../../support/temp.ts";

/** Every tool that writes is tried on each of these. */
export const SYSTEMS = {
  ntfs: { mandatoryLocks: true, foldsCase: true, largeIds: true },
  fat: { mandatoryLocks: true, foldsCase: true, keepsOpenFiles: true, noHardLinks: true },
  unflushed: { noSync: true },
} as const satisfies Record<string, Traits>;

/** Those on which only some tools are tried. */
const OTHERS = {
  letters: { foldsCase: true, largeIds: true },
  nested: { foldsCase: true },
  scanner: { scans: 3 },
} as const satisfies Record<string, Traits>;

/**
 * Below the folder of `nested`; the last two are roots with their own rules, one of them named in another letter
 * case.
 */
const NESTED = ["inner", "mid/deep"];
const READING = "[list_folder, read_file, stat_file]";

export type System = keyof typeof SYSTEMS;

export interface StrangePlaces extends AsyncDisposable {
  /** With a root on each system, named after it, and `inner` and `deep` in `nested`, which are read-only. */
  readonly roots: TestServer;
  readonly workspaces: Readonly<Record<System, TestServer>>;
  /** A file's content, by its path from the folder that contains the systems. */
  textOf(path: string): Promise<string>;
}

export async function strangePlaces(): Promise<StrangePlaces> {
  await using stack = new AsyncDisposableStack();
  const base = stack.use(tempFolder());
  const folders: Record<string, Traits> = {};
  for (const [name, traits] of Object.entries({ ...SYSTEMS, ...OTHERS })) {
    folders[`${base.path}/${name}`] = traits;
    folders[`${base.path}/work_${name}`] = traits;
  }
  for (const folder of Object.keys(folders)) Deno.mkdirSync(folder);
  const mounts = stack.use(await StrangeMounts.on(folders));
  const run = (...command: string[]) => printed([...mounts.inside, ...command]);
  await run("mkdir", "-p", ...NESTED.map((name) => `${base.path}/nested/${name}`));
  const config = base.write("paddock.yaml", configuration());

  const start = async (...args: string[]) => {
    const server = stack.use(new TestServer(args, { command: [...mounts.inside, ...serverCommand([])] }));
    await server.initialize();
    return server;
  };
  const onStdio = "--transport=stdio";
  const work = (name: System) => start(onStdio, `--workspaces-root=${base.path}/work_${name}`);
  const [roots, ntfs, fat, unflushed] = await Promise.all([
    start(onStdio, `--config=${config}`, `--undo-dir=${base.path}/undo`),
    ...[work("ntfs"), work("fat"), work("unflushed")] as const,
  ]);
  const all = stack.move();
  return {
    roots,
    workspaces: { ntfs, fat, unflushed },
    textOf: (path) => run("cat", `${base.path}/${path}`),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function configuration(): string {
  const open = [...Object.keys(SYSTEMS), ...Object.keys(OTHERS)]
    .map((name) => `  - { name: ${name}, path: ${name}, allowed_tools: ["*"] }\n`);
  return `roots:
${open.join("")}  - { name: inner, path: nested/INNER, allowed_tools: ${READING} }
  - { name: deep, path: nested/mid/deep, allowed_tools: ${READING} }
`;
}

async function printed([program = "", ...args]: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
