/** Which rules a fence gets from paths that have changed. */
import { assert, assertEquals } from "@std/assert";
import type { KernelRules } from "../../../src/base/kernel.ts";
import { needs } from "../../support/needs.ts";
import type { RulesAnswer, RulesTask } from "../../support/rules_probe.ts";
import { tempFolder } from "../../support/temp.ts";

function fencedBy(rules: KernelRules, folders: string[]): Promise<RulesAnswer> {
  const worker = new Worker(new URL("../../support/rules_probe.ts", import.meta.url), { type: "module" });
  return new Promise<RulesAnswer>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<RulesAnswer>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
    worker.postMessage({ rules, folders } satisfies RulesTask);
  }).finally(() => worker.terminate());
}

interface Case {
  /** In place of the directory that has a rule, or of the folder above it. */
  make: (dir: string) => void;
  rule?: string;
}

const CASES: Record<string, Case> = {
  "a link to somewhere else": { make: (dir) => Deno.symlinkSync(`${dir}/outside`, `${dir}/root`) },
  "a link to itself": { make: (dir) => Deno.symlinkSync(`${dir}/root`, `${dir}/root`) },
  "a folder behind a link": { make: (dir) => Deno.symlinkSync(dir, `${dir}/root`), rule: "root/outside" },
  "a folder below a file": { make: (dir) => Deno.writeTextFileSync(`${dir}/root`, ""), rule: "root/a" },
  "a name that is too long": { make: () => {}, rule: "a".repeat(300) },
  nothing: { make: () => {} },
};

for (const [name, { make, rule = "root" }] of Object.entries(CASES)) {
  Deno.test({
    ...needs("Landlock")(`the fence is set up, and opens nothing, where a directory has become ${name}`),
    fn: async () => {
      using folder = tempFolder();
      const dir = Deno.realPathSync(folder.path);
      for (const made of ["outside", "other"]) Deno.mkdirSync(`${dir}/${made}`);
      make(dir);
      for (const kind of ["write", "read"] as const) {
        const rules = { write: [], read: [], program: [`${dir}/other`], [kind]: [`${dir}/${rule}`] };
        const { fence, listed } = await fencedBy(rules, [`${dir}/outside`, `${dir}/other`]);
        assert("abi" in fence, JSON.stringify(fence));
        assertEquals(listed, [`${dir}/other`]);
      }
    },
  });
}

Deno.test({
  ...needs("Landlock")("the files of the program may be behind a link"),
  fn: async () => {
    using folder = tempFolder();
    const dir = Deno.realPathSync(folder.path);
    Deno.mkdirSync(`${dir}/cache`);
    Deno.symlinkSync(`${dir}/cache`, `${dir}/link`);
    const { listed } = await fencedBy({ write: [], read: [], program: [`${dir}/link`] }, [`${dir}/cache`]);
    assertEquals(listed, [`${dir}/cache`]);
  },
});
