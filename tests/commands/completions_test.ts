import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FLAGS } from "../../src/cli/flags.ts";
import { SHELLS, SUBCOMMANDS } from "../../src/cli/subcommands.ts";
import { completionScript } from "../../src/commands/completions/mod.ts";
import { needs } from "../support/needs.ts";
import { tempFolder } from "../support/temp.ts";

/** What real bash offers for each line, whose last word is the one being completed. */
function completedByBash(lines: readonly string[][], cwd: string): string[][] {
  const complete = lines.map((words) =>
    `COMP_WORDS=(${
      words.map((word) => `'${word}'`).join(" ")
    }); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _paddock; ` +
    `printf '%s\\n' "\${COMPREPLY[@]}"; echo --end--`
  );
  const { code, stdout, stderr } = new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-c", [completionScript("bash"), ...complete].join("\n")],
    cwd,
  }).outputSync();
  const decoder = new TextDecoder();
  assertEquals([code, decoder.decode(stderr)], [0, ""]);
  const answers = decoder.decode(stdout).split("--end--\n").slice(0, -1);
  return answers.map((answer) => answer.split("\n").map((line) => line.trim()).filter((line) => line !== ""));
}

Deno.test({
  ...needs("bash")(
    "completionScript(bash) offers flags, values, commands and directories when sourced by bash",
  ),
  fn: () => {
    using folder = tempFolder();
    folder.write("notes and more/a.txt", "");
    folder.write("conf.yaml", "");
    const [flags, prefix, value, valueStart, file, first, client, doctor, directory, afterClient] =
      completedByBash([
        ["paddock", "-"],
        ["paddock", ".", "--log-l"],
        ["paddock", "--transport", "="],
        ["paddock", "--log-format", "=", "j"],
        ["paddock", "--config", "=", "c"],
        ["paddock", ""],
        ["paddock", "setup", "c"],
        ["paddock", "doctor", "-"],
        ["paddock", "--read-only", "no"],
        ["paddock", "setup", "cursor", "--w"],
      ], folder.path);
    for (const { name, kind } of FLAGS) {
      assert(flags?.includes(kind.type === "toggle" ? `--${name}` : `--${name}=`), `${name} is not offered`);
    }
    assertEquals(prefix, ["--log-level="]);
    assertEquals(value, ["stdio", "http"]);
    assertEquals(valueStart, ["json"]);
    assertEquals(file, ["conf.yaml"]);
    assertEquals(first, [...SUBCOMMANDS.map(({ name }) => name as string), "notes and more"]);
    assertEquals(client, ["claude-desktop", "claude-code", "cursor", "codex", "cline", "continue"]);
    assertEquals(doctor, ["--json", "--help", "-h"]);
    assertEquals(directory, ["notes and more"]);
    assertEquals(afterClient, ["--write", "--workspaces-root="]);
  },
});

Deno.test({
  ...needs("bash", "script")(
    "completionScript(bash) separates words and folders when somebody presses Tab",
  ),
  fn: async () => {
    using folder = tempFolder();
    folder.write("second/a.txt", "");
    const rc = folder.write(
      "rc",
      `${completionScript("bash")}\npaddock() { printf '<%s>' "$@"; echo; }\nPS1=\n`,
    );
    const child = new Deno.Command("script", {
      args: ["-qec", `bash --noprofile --rcfile '${rc}' -i`, "/dev/null"],
      cwd: folder.path,
      env: { TERM: "dumb", INPUTRC: "/dev/null", HISTFILE: "" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const writer = child.stdin.getWriter();
    const lines = ["paddock set\tcur\tsec\t", "paddock --read\t--port\t1 sec\t", "exit"];
    for (const line of lines) await writer.write(new TextEncoder().encode(`${line}\n`));
    const { stdout } = await child.output();
    await writer.close().catch(() => {}); // it has ended
    const said = new TextDecoder().decode(stdout).split("\r\n").filter((line) => line.startsWith("<"));
    assertEquals(said, ["<setup><cursor><second/>", "<--read-only><--port=1><second/>"]);
  },
});

for (const [shell, args] of [["bash", ["-n"]], ["zsh", ["-n"]], ["fish", ["--no-execute"]]] as const) {
  Deno.test({
    ...needs(shell)(`completionScript(${shell}) is a script that ${shell} can read`),
    fn: () => {
      using folder = tempFolder();
      const script = folder.write("script", completionScript(shell));
      const { code, stderr } = new Deno.Command(shell, { args: [...args, script] }).outputSync();
      assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
    },
  });
}

Deno.test("completionScript includes every flag and command for every shell, in balanced quotes", () => {
  for (const shell of SHELLS) {
    const script = completionScript(shell);
    for (const { name } of FLAGS) {
      assertStringIncludes(script, shell === "fish" ? `-l ${name}` : `--${name}`, shell);
    }
    for (const { name, flags } of SUBCOMMANDS) {
      assertStringIncludes(script, name, shell);
      for (const flag of flags) {
        assertStringIncludes(script, shell === "fish" ? `-l ${flag.name}` : `--${flag.name}`, shell);
      }
    }
    const quotes = script.replaceAll("'\\''", "").replaceAll("\\'", "").match(/'/g)?.length ?? 0;
    assertEquals(quotes % 2, 0, shell);
  }
});
