import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import fc from "fast-check";
import { LineWriter, type WritableBytes } from "../../src/transports/line_writer.ts";
import { MemoryOutput } from "../support/streams.ts";

const aMoment = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("LineWriter writes the messages of one moment together, one per line, in order", async () => {
  const output = new MemoryOutput();
  const writer = new LineWriter(output);
  writer.write({ id: 1 });
  writer.write({ id: 2, text: "a\nb" });
  await writer.write({ id: 3 });
  assertEquals(output.writes, ['{"id":1}\n{"id":2,"text":"a\\nb"}\n{"id":3}\n']);
  assertEquals(writer.unsent, 0);
});

Deno.test("LineWriter joins what queues up during a write", async () => {
  const gate = Promise.withResolvers<void>();
  const output = new MemoryOutput(async (bytes, nth) => {
    if (nth === 0) await gate.promise;
    return bytes.length;
  });
  const writer = new LineWriter(output);
  writer.write("first");
  await aMoment();
  for (const text of ["a", "b", "c"]) writer.write(text);
  assertEquals(writer.unsent, '"first"\n"a"\n"b"\n"c"\n'.length);
  gate.resolve();
  await writer.flushed();
  assertEquals(output.writes, ['"first"\n', '"a"\n"b"\n"c"\n']);
  assertEquals(writer.unsent, 0);
});

Deno.test("LineWriter writes everything in order when the output accepts any part of it or none", async () => {
  const messages = fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { minLength: 1, maxLength: 20 });
  const appetites = fc.array(fc.integer({ min: -1, max: 20 }), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(messages, appetites, async (texts, sizes) => {
      let stalls = 0;
      const output = new MemoryOutput((bytes, nth) => {
        const size = sizes[nth % sizes.length] ?? 1;
        if (size < 1 && stalls++ < 3) throw new Deno.errors.WouldBlock();
        return Math.min(Math.max(size, 1), bytes.length);
      });
      const writer = new LineWriter(output);
      for (const text of texts) {
        writer.write(text);
        if (text.length % 2 === 0) await Promise.resolve();
      }
      await writer.flushed();
      assertEquals(output.lines.map((line) => JSON.parse(line)), texts);
      assertEquals(writer.unsent, 0);
    }),
    { numRuns: 50 },
  );
});

Deno.test("LineWriter writes more than a string can hold when nobody has read for a long time", async () => {
  const gate = Promise.withResolvers<void>();
  let taken = 0;
  let largest = 0;
  const writer = new LineWriter({
    async write(bytes) {
      await gate.promise;
      taken += bytes.length;
      largest = Math.max(largest, bytes.length);
      return bytes.length;
    },
  });
  const text = "x".repeat(1_000_000);
  for (let i = 0; i < 40; i++) writer.write(text);
  assertEquals(writer.unsent, 40 * (text.length + 3));
  gate.resolve();
  await writer.flushed();
  assertEquals(taken, 40 * (text.length + 3));
  assert(largest < 2 * text.length, `${largest} bytes in one write`);
});

Deno.test("LineWriter is broken, drops what is waiting and accepts no more when the reader has gone", async () => {
  const output = new MemoryOutput((bytes, nth) => {
    if (nth > 0) throw new Deno.errors.BrokenPipe("gone");
    return Math.min(3, bytes.length);
  });
  const writer = new LineWriter(output);
  writer.write("first");
  writer.write("second");
  assertInstanceOf(await writer.broken, Deno.errors.BrokenPipe);
  await writer.flushed();
  await writer.write("third");
  assertEquals([output.text, writer.unsent], ['"fi', 0]);
});

/** An output like standard output, which can also be written to at once; records how each byte was written. */
class DirectOutput implements WritableBytes {
  readonly #take: (bytes: Uint8Array, nth: number) => number;
  readonly #bytes: number[] = [];
  #nth = 0;
  atOnce = 0;

  constructor(take: (bytes: Uint8Array, nth: number) => number = (bytes) => bytes.length) {
    this.#take = take;
  }

  get text(): string {
    return new TextDecoder().decode(new Uint8Array(this.#bytes));
  }

  write(bytes: Uint8Array): Promise<number> {
    this.#bytes.push(...bytes);
    return Promise.resolve(bytes.length);
  }

  writeSync(bytes: Uint8Array): number {
    const taken = this.#take(bytes, this.#nth++);
    this.#bytes.push(...bytes.subarray(0, taken));
    this.atOnce += taken;
    return taken;
  }
}

Deno.test("LineWriter writes at once when an answer is short and alone", () => {
  const output = new DirectOutput((bytes) => Math.min(4, bytes.length));
  const writer = new LineWriter(output);
  writer.write("an answer", { alone: true });
  assertEquals([output.text, output.atOnce, writer.unsent], ['"an answer"\n', 12, 0]);
});

Deno.test("LineWriter keeps the order when an answer that could be written at once meets a queue", async () => {
  const output = new DirectOutput();
  const writer = new LineWriter(output);
  writer.write("first");
  await writer.write("second", { alone: true });
  assertEquals([output.text, output.atOnce], ['"first"\n"second"\n', 0]);
});

Deno.test("LineWriter writes a long answer in the ordinary way even when it is alone", async () => {
  const output = new DirectOutput();
  await new LineWriter(output).write("x".repeat(50_000), { alone: true });
  assertEquals([output.text.length, output.atOnce], [50_003, 0]);
});

Deno.test("LineWriter queues what is left of an answer when the pipe is full in the middle of it", async () => {
  const output = new DirectOutput((bytes, nth) => {
    if (nth > 0) throw new Deno.errors.WouldBlock();
    return Math.min(4, bytes.length); // in the middle of a letter
  });
  const writer = new LineWriter(output);
  writer.write("größe", { alone: true });
  writer.write("next", { alone: true });
  await writer.flushed();
  assertEquals([output.text, output.atOnce], ['"größe"\n"next"\n', 4]);
});

Deno.test("LineWriter is broken when an answer that is written at once finds no reader", async () => {
  const output = new DirectOutput(() => {
    throw new Deno.errors.BrokenPipe("gone");
  });
  const writer = new LineWriter(output);
  await writer.write("first", { alone: true });
  assertInstanceOf(await writer.broken, Deno.errors.BrokenPipe);
});

Deno.test("LineWriter writes at once as much as there is room for, in whole lines, and waits with the rest", async () => {
  const gate = Promise.withResolvers<void>();
  let room = 1_000;
  const atOnce: string[] = [];
  const later: string[] = [];
  const writer = new LineWriter({
    async write(bytes) {
      await gate.promise;
      later.push(new TextDecoder().decode(bytes));
      return bytes.length;
    },
    writeSync(bytes) {
      room -= bytes.length;
      atOnce.push(new TextDecoder().decode(bytes));
      return bytes.length;
    },
    room: () => room,
  });
  for (let i = 0; i < 10; i++) writer.write(`${i}`.repeat(197)); // 200 bytes each with quotes and line break
  await aMoment();
  assertEquals(atOnce.map((text) => text.length), [1_000]);
  assertEquals(writer.unsent, 1_000);
  gate.resolve();
  await writer.flushed();
  assertEquals(
    [...atOnce, ...later].join(""),
    Array.from({ length: 10 }, (_, i) => `"${`${i}`.repeat(197)}"\n`).join(""),
  );
  assertEquals(writer.unsent, 0);
});

Deno.test("LineWriter writes answers together that come a few promise steps apart, but not indefinitely", async () => {
  const output = new MemoryOutput();
  const writer = new LineWriter(output);
  for (let i = 0; i < 3; i++) {
    writer.write({ id: i });
    for (let step = 0; step < 10; step++) await Promise.resolve();
  }
  await aMoment();
  assertEquals(output.writes.length, 1);
  const long = "x".repeat(3_000);
  for (let i = 0; i < 12; i++) {
    writer.write(long);
    await Promise.resolve();
  }
  await writer.flushed();
  assert(output.writes.length > 2, "what is enough for a write does not wait for more");
});

Deno.test("LineWriter keeps what is waiting unchanged, however much is written meanwhile", async () => {
  const gate = Promise.withResolvers<void>();
  const output = new MemoryOutput(async (bytes) => {
    await gate.promise;
    return bytes.length;
  });
  const writer = new LineWriter(output);
  const texts = Array.from({ length: 400 }, (_, i) => `${i} `.repeat(500));
  for (const text of texts) {
    writer.write(text);
    await Promise.resolve();
  }
  gate.resolve();
  await writer.flushed();
  writer.write("after");
  await writer.flushed();
  assertEquals(output.lines.map((line) => JSON.parse(line)), [...texts, "after"]);
});
