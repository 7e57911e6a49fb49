import { assert, assertEquals, assertMatch } from "@std/assert";
import { LogSink, type Writer } from "../../src/base/stderr_sink.ts";

/** A standard error that accepts what `take` says, and keeps it. */
class Pipe implements Writer {
  text = "";
  writes = 0;
  readonly #take: (bytes: Uint8Array, nth: number) => number | Promise<number>;

  constructor(take: (bytes: Uint8Array, nth: number) => number | Promise<number> = (bytes) => bytes.length) {
    this.#take = take;
  }

  async write(bytes: Uint8Array): Promise<number> {
    const taken = await this.#take(bytes, this.writes++);
    this.text += new TextDecoder().decode(bytes.subarray(0, taken));
    return taken;
  }
}

Deno.test("LogSink writes the lines of one moment together and in order", async () => {
  const pipe = new Pipe();
  const sink = new LogSink(pipe);
  for (const line of ["a", "b", "c"]) sink.write(line);
  await sink.close();
  assertEquals([pipe.text, pipe.writes], ["a\nb\nc\n", 1]);
});

Deno.test("LogSink writes everything when the pipe takes a few bytes at a time", async () => {
  const pipe = new Pipe((bytes) => Math.min(3, bytes.length));
  const sink = new LogSink(pipe);
  sink.write("first line");
  sink.write("second line");
  await sink.close();
  assertEquals(pipe.text, "first line\nsecond line\n");
});

Deno.test("LogSink loses nothing when a non-blocking pipe is full for a while", async () => {
  const pipe = new Pipe((bytes, nth) => {
    if (nth % 3 === 1) throw new Deno.errors.WouldBlock();
    return Math.min(4, bytes.length);
  });
  const sink = new LogSink(pipe);
  sink.write("first line");
  sink.write("second line");
  await sink.close();
  assertEquals(pipe.text, "first line\nsecond line\n");
});

Deno.test("LogSink drops lines, counts them and returns at once when nobody reads", async () => {
  const gate = Promise.withResolvers<void>();
  const pipe = new Pipe((bytes) => gate.promise.then(() => bytes.length));
  const sink = new LogSink(pipe);
  sink.write("taken by the pipe");
  await Promise.resolve();
  const line = "x".repeat(1023);
  for (let i = 0; i < 3000; i++) sink.write(line);
  sink.write("one more");
  gate.resolve();
  await sink.close();
  sink.write("after");
  await sink.close();
  const lines = pipe.text.split("\n");
  const kept = lines.filter((each) => each === line).length;
  assert(kept > 500 && kept < 1500, `${kept} lines kept`);
  const note = lines.find((each) => each.startsWith("("));
  assertMatch(note ?? "", /^\(\d+ log lines were dropped: nobody read them\)$/);
  const lost = 3000 - kept + (lines.includes("one more") ? 0 : 1);
  assertEquals(parseInt(note?.slice(1) ?? ""), lost);
  assertEquals(lines.at(-2), "after");
});

Deno.test("LogSink continues without a log when standard error is closed", async () => {
  const pipe = new Pipe((bytes, nth) => {
    if (nth === 0) throw new Deno.errors.BrokenPipe();
    return bytes.length;
  });
  const sink = new LogSink(pipe);
  sink.write("lost");
  await sink.close();
  sink.write("written");
  await sink.close();
  assertEquals(pipe.text, "written\n");
});

Deno.test("LogSink.close gives up after its time limit when the pipe accepts nothing", async () => {
  const gate = Promise.withResolvers<number>();
  const pipe = new Pipe(() => gate.promise);
  const sink = new LogSink(pipe);
  sink.write("stuck");
  await sink.close(5);
  assertEquals(pipe.text, "");
  gate.resolve(6);
  await sink.close();
  assertEquals(pipe.text, "stuck\n");
});

Deno.test("LogSink.close returns when nothing was ever written", async () => {
  const pipe = new Pipe();
  await new LogSink(pipe).close();
  assertEquals(pipe.writes, 0);
});

Deno.test("LogSink writes a line that is longer than its queue when nothing else waits", async () => {
  const pipe = new Pipe();
  const sink = new LogSink(pipe);
  const long = "x".repeat(3_000_000);
  sink.write(long);
  await sink.close();
  assertEquals(pipe.text, `${long}\n`);
});

function stoppedClock(): Disposable {
  const { now } = performance;
  const moment = performance.now();
  performance.now = () => moment;
  return { [Symbol.dispose]: () => void (performance.now = now) };
}

Deno.test("LogSink collects the lines of a busy server, and an urgent line is written at once together with them", async () => {
  using _clock = stoppedClock(); // all of it is one moment, on any machine
  const pipe = new Pipe();
  const sink = new LogSink(pipe);
  sink.write("first");
  await sink.close();
  for (const line of ["a", "b"]) {
    sink.write(line);
    await Promise.resolve();
  }
  assertEquals(pipe.text, "first\n");
  sink.write("wrong", { urgent: true });
  await Promise.resolve();
  await Promise.resolve();
  assertEquals([pipe.text, pipe.writes], ["first\na\nb\nwrong\n", 2]);
  sink.write("last");
  while (pipe.writes < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  assertEquals(pipe.text, "first\na\nb\nwrong\nlast\n");
  await sink.close();
});

/** One that reports how much room it has, and accepts that much at once. */
class RoomyPipe extends Pipe {
  left: number;
  syncs = 0;

  constructor(left: number) {
    super();
    this.left = left;
  }

  room(): number {
    return this.left;
  }

  writeSync(bytes: Uint8Array): number {
    this.syncs++;
    this.left -= bytes.length;
    this.text += new TextDecoder().decode(bytes);
    return bytes.length;
  }
}

Deno.test("LogSink writes at once what a pipe has room for, and whole lines of the rest in the other way", async () => {
  const pipe = new RoomyPipe(8);
  const sink = new LogSink(pipe);
  for (const line of ["one", "two", "three"]) sink.write(line);
  await sink.close();
  assertEquals([pipe.text, pipe.syncs, pipe.writes], ["one\ntwo\nthree\n", 1, 1]);
});

Deno.test("LogSink tries the other way when a pipe that reported room accepts nothing", async () => {
  const pipe = new RoomyPipe(100);
  pipe.writeSync = () => {
    throw new Deno.errors.WouldBlock();
  };
  const sink = new LogSink(pipe);
  sink.write("one");
  await sink.close();
  assertEquals([pipe.text, pipe.writes], ["one\n", 1]);
});
