/** The same calls to the official server and to ours, on equal trees: the same answers, and the same trees afterwards. */
import { assert, assertEquals } from "@std/assert";
import { needs, withMkfifo } from "../../support/needs.ts";
import { REPOSITORY, type TestServer } from "../../support/server.ts";
import { type TempFolder, tempFolder } from "../../support/temp.ts";
import { CALLS, placed } from "./calls.ts";
import { type Both, DIFFERENCES, type Side, WITH_A_PIPE } from "./differences.ts";
import { installOfficial, startClassic, startOfficial } from "./official.ts";
import { comparable, makeTree, snapshot } from "./trees.ts";

function sideIn(temp: TempFolder, name: string): Omit<Side, "server"> {
  const folder = `${temp.path}/${name}`;
  Deno.mkdirSync(folder);
  return { folder, root: makeTree(folder) };
}

async function answer({ server, folder }: Side, call: typeof CALLS[number]): Promise<unknown> {
  return comparable(await server.request("tools/call", placed(call, folder)), folder);
}

Deno.test({
  ...needs("Unix", "node")(`the classic surface answers ${CALLS.length} calls as the official server does`),
  async fn(t) {
    assert(CALLS.length >= 120);
    using temp = tempFolder();
    const script = await installOfficial(temp.path);
    const [theirs, ours] = [sideIn(temp, "one"), sideIn(temp, "two")];
    await using official = await startOfficial(script, [theirs.root]);
    await using classic = await startClassic([ours.root]);
    for (const [index, call] of CALLS.entries()) {
      await t.step(`${index} ${call[0]} ${JSON.stringify(call[1]).slice(0, 80)}`, async () => {
        assertEquals(
          await answer({ ...ours, server: classic }, call),
          await answer({ ...theirs, server: official }, call),
        );
      });
    }
    await t.step("the trees are the same afterwards", () => {
      assertEquals(snapshot(ours.root), snapshot(theirs.root));
    });
    const both: Both = { official: { ...theirs, server: official }, classic: { ...ours, server: classic } };
    for (const [what, show] of Object.entries(DIFFERENCES)) {
      const named = what === WITH_A_PIPE ? withMkfifo : needs();
      await t.step({ ...named(`different on purpose: ${what}`), fn: () => show(both) });
    }
    await t.step("docs/guides/classic.md names every difference that is shown here", () => {
      const page = Deno.readTextFileSync(`${REPOSITORY}docs/guides/classic.md`);
      const told = [...page.matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, name = ""]) => name.toLowerCase());
      const elsewhere = ["client roots", "directories at the start"]; // client_roots_test.ts, tests/cli/classic_test.ts
      const shown = [...Object.keys(DIFFERENCES), ...elsewhere].map((name) => name.toLowerCase());
      assertEquals(told.toSorted(), shown.toSorted());
    });
    await t.step("tools/list has the same tools, schemas and hints", async () => {
      const listed = async (server: TestServer) =>
        (await server.request("tools/list")).result.tools.map(listing) as unknown[];
      assertEquals(await listed(classic), await listed(official));
    });
  },
});

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  annotations: unknown;
}

/** The dialect of the schemas, and the support for `tasks`, come from the SDK. */
function listing({ name, title, description, inputSchema, outputSchema, annotations }: Listed) {
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: plain(inputSchema),
    outputSchema: plain(outputSchema),
  };
}

/** A result may have more than the schema says, or not: neither server says otherwise. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => key !== "$schema" && key !== "additionalProperties");
  return Object.fromEntries(kept.map(([key, value]) => [key, plain(value)]));
}
