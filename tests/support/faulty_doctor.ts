/**
 * The doctor with a faulty server to examine, as a program: `deno run -A faulty_doctor.ts FAULT CHECK DIR` prints
 * its findings as JSON. A program, because `deno test` would check the types of the whole server again for a
 * Worker that it starts.
 */
import { examine } from "../../src/commands/doctor/examine.ts";
import { programFiles } from "../../src/sandbox/kernel/program_files.ts";
import { type Fault, startWith } from "./faulty_start.ts";
import { LockHolder } from "./lock_holder.ts";

const [fault = "", check = "", directory = ""] = Deno.args;
const findings = await Array.fromAsync(examine(directory, {
  workerOptions: true,
  programFiles: programFiles({
    main: new URL("../../main.ts", import.meta.url).href,
    env: (name) => Deno.env.get(name),
    home: () => undefined,
    folder: "",
    standalone: false,
  }),
  note: (text) => console.error(text),
  start: startWith(fault as Fault),
  holdLock: async (path) => {
    const holder = await LockHolder.start(path);
    return { otherProcess: true, release: () => holder.release() };
  },
  only: [check],
}));
console.log(JSON.stringify(findings));
Deno.exit(0);
