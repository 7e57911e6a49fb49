// `deno task clients`: popular client libraries on every surface and over both transports, as a table; exit code 1 if
// one fails. Their packages are locked in a separate file, so that nothing else downloads them.

import { type ClientLibrary, TRANSPORTS, tryClient } from "../tests/clients/matrix.ts";
import { OFFICIAL } from "../tests/clients/official.ts";
import { TRIALS } from "../tests/clients/trials.ts";
import { AI_SDK } from "./ai_sdk.ts";
import { LANGCHAIN } from "./langchain.ts";
import { OPENAI_AGENTS } from "./openai_agents.ts";

const LIBRARIES: readonly ClientLibrary[] = [...OFFICIAL, AI_SDK, LANGCHAIN, OPENAI_AGENTS];

async function main(): Promise<number> {
  let failures = 0;
  for (const library of LIBRARIES) {
    for (const trial of TRIALS) {
      for (const transport of TRANSPORTS) {
        const row = `${library.name.padEnd(36)} ${trial.surface.padEnd(11)} ${transport.padEnd(5)}`;
        try {
          await tryClient(library, trial, transport);
          console.log(`✓ ${row}`);
        } catch (error) {
          failures++;
          console.log(`✗ ${row} ${error instanceof Error ? error.message.slice(0, 1_000) : error}`);
        }
      }
    }
  }
  console.log(failures === 0 ? "\nEvery client works." : `\n${failures} fail.`);
  return failures === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
