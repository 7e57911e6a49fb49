import { assertEquals } from "@std/assert";
import { BatchBook, isBatchRevision } from "../../src/transports/batches.ts";

const REVISIONS: [revision: string | undefined, batches: boolean][] = [
  [undefined, true],
  ["2024-10-07", true],
  ["2024-11-05", true],
  ["2025-03-26", true],
  ["2025-06-18", false],
  ["2025-11-25", false],
  ["2026-07-28", false],
];

for (const [revision, batches] of REVISIONS) {
  Deno.test(`isBatchRevision is ${batches} when the revision is ${revision}`, () => {
    assertEquals(isBatchRevision(revision), batches);
  });
}

/** A batch that waits for the answers to these requests. */
function opened(book: BatchBook, ...ids: (string | number)[]) {
  const batch = book.open();
  for (const id of ids) batch.expect(id);
  return batch;
}

const answer = (id: string | number) => ({ jsonrpc: "2.0", id, result: {} });

Deno.test("BatchBook returns the answers together when the last one is there, in order of arrival", () => {
  const book = new BatchBook();
  const batch = opened(book, 1, "b", 3);
  assertEquals(batch.close(), undefined);
  assertEquals(book.take("b", answer("b")), true);
  assertEquals(book.settle("b"), undefined);
  assertEquals(book.take(3, answer(3)), true);
  assertEquals(book.settle(3), undefined);
  assertEquals(book.take(1, answer(1)), true);
  assertEquals(book.settle(1), [answer("b"), answer(3), answer(1)]);
});

Deno.test("BatchBook distinguishes a number from a string that looks like it", () => {
  const book = new BatchBook();
  opened(book, 1).close();
  assertEquals(book.take("1", answer("1")), false);
  assertEquals(book.settle("1"), undefined);
  assertEquals(book.take(1, answer(1)), true);
});

Deno.test("BatchBook leaves answers alone that belong to no batch", () => {
  const book = new BatchBook();
  opened(book, 1).close();
  assertEquals(book.take(2, answer(2)), false);
  assertEquals(book.take(undefined, { method: "notifications/progress" }), false);
  assertEquals(book.settle(2), undefined);
});

Deno.test("BatchBook returns nothing for a batch of notifications only", () => {
  const book = new BatchBook();
  assertEquals(book.open().close(), undefined);
  assertEquals(book.settle(1), undefined);
});

Deno.test("BatchBook returns refusals at once if a batch contains nothing else", () => {
  const book = new BatchBook();
  const batch = book.open();
  const refusals = [1, 2, 3].map((code) => ({ id: null, error: { code } }));
  for (const refusal of refusals) batch.answer(refusal);
  assertEquals(batch.close(), refusals);
});

Deno.test("BatchBook does not wait for a request that was refused", () => {
  const book = new BatchBook();
  const batch = opened(book, 1);
  batch.answer({ id: 2, error: {} });
  assertEquals(batch.close(), undefined);
  book.take(1, answer(1));
  assertEquals(book.settle(1), [{ id: 2, error: {} }, answer(1)]);
});

Deno.test("BatchBook does not wait for a request that was cancelled, and drops a batch of such requests", () => {
  const book = new BatchBook();
  opened(book, 1, 2).close();
  assertEquals(book.settle(1), undefined);
  book.take(2, answer(2));
  assertEquals(book.settle(2), [answer(2)]);

  opened(book, 3).close();
  assertEquals(book.settle(3), undefined);
  assertEquals(book.take(3, answer(3)), false);
});

Deno.test("BatchBook holds back the answers while the batch is still being read", () => {
  const book = new BatchBook();
  const batch = opened(book, 1);
  book.take(1, answer(1));
  assertEquals(book.settle(1), undefined);
  assertEquals(batch.close(), [answer(1)]);
});

Deno.test("BatchBook keeps two batches apart when they are open at once", () => {
  const book = new BatchBook();
  opened(book, 1, 2).close();
  opened(book, 3).close();
  book.take(3, answer(3));
  assertEquals(book.settle(3), [answer(3)]);
  book.take(2, answer(2));
  assertEquals(book.settle(2), undefined);
  book.take(1, answer(1));
  assertEquals(book.settle(1), [answer(2), answer(1)]);
});

Deno.test("BatchBook keeps waiting for a request when another with its id was refused", () => {
  const book = new BatchBook();
  const batch = opened(book, 1);
  batch.answer({ id: 1, error: {} });
  assertEquals(batch.close(), undefined);
  book.take(1, answer(1));
  assertEquals(book.settle(1), [{ id: 1, error: {} }, answer(1)]);
});
