// `deno task clients:python`, run by hand: the official Python SDK on every surface and over both transports. It
// creates a virtual environment in a temporary folder and installs the SDK there; PADDOCK_PYTHON names an interpreter
// that already has it.

import { TRANSPORTS, tryWith } from "../tests/clients/matrix.ts";
import { TRIALS } from "../tests/clients/trials.ts";

const SDK = "mcp==2.3.0";

const SCRIPT = new URL("python_client.py", import.meta.url).pathname;

async function run(command: string, ...args: string[]): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, stdin: "null" }).output();
  if (success) return;
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  throw new Error(said.trim().split("\n").slice(-12).join("\n"));
}

async function prepared(folder: string): Promise<string> {
  const given = Deno.env.get("PADDOCK_PYTHON");
  if (given !== undefined && given !== "") return given;
  await run("python3", "-m", "venv", folder);
  await run(`${folder}/bin/pip`, "install", "--quiet", SDK);
  return `${folder}/bin/python`;
}

async function main(): Promise<number> {
  const folder = Deno.makeTempDirSync({ prefix: "paddock-python-" });
  let failures = 0;
  try {
    const python = await prepared(folder);
    for (const trial of TRIALS) {
      for (const transport of TRANSPORTS) {
        const row = `${trial.surface.padEnd(11)} ${transport.padEnd(5)}`;
        try {
          await tryWith(trial, transport, async (target, root) => {
            const { content, tells, first, resource } = trial;
            const steps = { first, write: trial.write(root), read: trial.read(root), fail: trial.fail(root) };
            const told = { target, content, tells, ...steps, resource: resource?.(root) };
            await run(python, SCRIPT, JSON.stringify(told));
          });
          console.log(`✓ ${row}`);
        } catch (error) {
          failures++;
          console.log(`✗ ${row} ${error instanceof Error ? error.message : error}`);
        }
      }
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
  console.log(failures === 0 ? "\nThe Python SDK works." : `\n${failures} fail.`);
  return failures === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
