/** A server that writes to a workspace again and again, to be killed at any moment. */
import type { TestServer } from "../../support/server.ts";

export interface Written {
  file: string;
  content: string;
  commit: string;
}

export interface Stream {
  /** Settles when this many writes were acknowledged. */
  acknowledged(count: number): Promise<void>;
  /** Kills the server, and returns the acknowledged writes. */
  kill(): Promise<Written[]>;
}

/** Three calls in flight; each writes a file of its own name, every fourth the same one. */
export function streamOfWrites(
  server: TestServer,
  { workspaceId, tag }: { workspaceId: string; tag: string },
): Stream {
  const done: Written[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const ended = server.status.then(() => undefined);
  let next = 0;
  const writeOn = async () => {
    for (;;) {
      const i = next++;
      const file = i % 4 === 0 ? "shared.txt" : `${tag}/${i}.txt`;
      const content = `${tag} ${i}\n`;
      const call = server.call("fs_write_file", { workspaceId, path: file, content });
      const answer = await Promise.race([call.catch(() => undefined), ended]); // writing to a dead process fails
      if (answer === undefined) return;
      if (answer.isError) throw new Error(answer.text);
      done.push({ file, content, commit: answer.value.commit });
      for (const { count, resolve } of waiting) if (done.length >= count) resolve();
    }
  };
  const writing = Promise.all([writeOn(), writeOn(), writeOn()]);
  return {
    acknowledged: (count) =>
      Promise.race([
        new Promise<void>((resolve) => waiting.push({ count, resolve })),
        writing.then(() => {
          throw new Error(`the server ended by itself:\n${server.log}`);
        }),
      ]),
    kill: async () => {
      server.kill("SIGKILL");
      await writing;
      return done;
    },
  };
}
