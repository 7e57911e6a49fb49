import { assertEquals, assertNotEquals } from "@std/assert";
import { Sessions } from "../../src/console/front/sessions.ts";

Deno.test("tokens that are requested at the same time are all valid, each only once", async () => {
  const sessions = new Sessions();
  const tokens = await Promise.all([1, 2, 3].map(() => sessions.newToken()));
  for (const token of tokens) {
    assertNotEquals(await sessions.exchange(token), undefined);
    assertEquals(await sessions.exchange(token), undefined);
  }
  sessions.endAll();
});

Deno.test("a token that is used while another is requested stays used", async () => {
  const sessions = new Sessions();
  const token = await sessions.newToken();
  const [fresh, secret] = await Promise.all([sessions.newToken(), sessions.exchange(token)]);
  assertNotEquals(secret, undefined);
  assertEquals(await sessions.exchange(token), undefined);
  assertNotEquals(await sessions.exchange(fresh), undefined);
  sessions.endAll();
});
