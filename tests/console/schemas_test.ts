import { assert, assertEquals } from "@std/assert";
import type { z } from "zod";
import type * as api from "../../src/console/api_types.ts";
import { openApi, OPERATIONS } from "../../src/console/openapi.ts";
import type { ANSWERS, EVENTS, REQUESTS } from "../../src/console/schemas.ts";

/** Neither side may have a field, or a value of it, that the other lacks. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : ["not in the types", Exclude<keyof B, keyof A>]
  : never;

interface Answers {
  Sources: api.Sources;
  Change: api.Change;
  ChangePage: api.ChangePage;
  ChangeDetails: api.ChangeDetails;
  FileDiff: api.FileDiff;
  FileHistory: api.FileHistory;
  Comparison: api.Comparison;
  Facets: api.Facets;
  Preview: api.Preview;
  Done: api.Done;
  Session: api.Session;
  Ended: api.Ended;
  Call: api.Call;
  CallPage: api.CallPage;
  Overview: api.Overview;
  Failure: api.Failure;
}

type Inferred<T extends Record<string, z.ZodType>> = { [K in keyof T]: z.infer<T[K]> };

// These lines do not compile if api_types.ts and schemas.ts differ.
const answersAgree: Same<Answers, Inferred<typeof ANSWERS>> = true;
const eventsAgree: Same<api.Events, Inferred<typeof EVENTS>> = true;
const undoAgrees: Same<api.UndoRequest, z.infer<typeof REQUESTS.undoPreview>> = true;
const restoreAgrees: Same<api.RestoreRequest, z.infer<typeof REQUESTS.restorePreview>> = true;

Deno.test("api_types and schemas describe the same answers, events and requests", () => {
  assert(answersAgree && eventsAgree && undoAgrees && restoreAgrees);
});

Deno.test("openApi describes every operation, and refers to nothing that does not exist", () => {
  const document = openApi() as {
    paths: Record<string, Record<string, unknown>>;
    components: { schemas: Record<string, unknown> };
  };
  for (const { path, method } of OPERATIONS) {
    assert(document.paths[`/console/api/${path}`]?.[method] !== undefined, `${method} ${path} is missing`);
  }
  assertEquals(Object.keys(document.paths).length, OPERATIONS.length);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  assert(references.length > OPERATIONS.length);
  assertEquals(
    references.map(([, name = ""]) => name).filter((name) => !(name in document.components.schemas)),
    [],
  );
});

Deno.test("openApi gives every operation its own name", () => {
  const names = OPERATIONS.map(({ path }) => path);
  assertEquals(new Set(names).size, names.length);
});
