/** The console as a job in the background of a terminal, which the system stops if it reads from it. */
import { assertStringIncludes } from "@std/assert";
import { needs } from "../../support/needs.ts";
import { freePort } from "../../support/http_server.ts";
import { serverCommand } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

Deno.test(
  needs("bash", "script", "Linux")(
    "paddock console in the background of a terminal is not stopped, and serves",
  ),
  async () => {
    using folder = tempFolder();
    folder.write("site/a.txt", "");
    const args = ["console", `${folder.path}/site`, `--undo-dir=${folder.path}/undo`, `--port=${freePort()}`];
    const command = serverCommand(args).map((part) => `'${part}'`).join(" ");
    const shell = new Deno.Command("script", {
      args: ["-qec", "bash --noprofile --norc -i", "/dev/null"],
      cwd: folder.path,
      env: { TERM: "dumb", NO_COLOR: "1", HISTFILE: "", PS1: "" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = shell.stdin.getWriter();
    const type = (text: string) => writer.write(new TextEncoder().encode(text)).catch(() => {});
    await type(`${command} &\n`);
    let screen = "";
    const asking = setInterval(() => type("jobs\n"), 500); // the shell reports a stopped job when asked
    for await (const text of shell.stdout.pipeThrough(new TextDecoderStream())) {
      screen += text;
      if (!/console\?token=|Stopped|Exit \d/.test(screen)) continue;
      clearInterval(asking);
      await type("kill -9 %1; exit\n");
      await type("exit\n"); // the first one only warns of a stopped job
    }
    clearInterval(asking);
    await writer.close().catch(() => {});
    await shell.status;
    assertStringIncludes(screen, "console?token=");
  },
);
