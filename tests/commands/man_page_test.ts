import { assert, assertEquals } from "@std/assert";
import { FLAGS } from "../../src/cli/flags.ts";
import { SUBCOMMANDS } from "../../src/cli/subcommands.ts";
import { manPage } from "../../src/commands/man_page.ts";
import { needs } from "../support/needs.ts";

async function groff(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = new Deno.Command("groff", { args, stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(manPage()));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test({
  ...needs("groff")("manPage is accepted by groff without a warning, and shows every flag and command"),
  fn: async () => {
    const { code, stdout, stderr } = await groff(["-ww", "-man", "-Tascii", "-rLL=200n", "-P-cbou"]);
    assertEquals([code, stderr], [0, ""]);
    for (const { name } of FLAGS) assert(stdout.includes(`--${name}`), name);
    for (const { name } of SUBCOMMANDS) assert(stdout.includes(`paddock ${name}`), name);
  },
});

Deno.test("manPage is plain ASCII, and no line of text begins with a roff command by accident", () => {
  const lines = manPage().split("\n");
  const commands = /^\.(\\"|(TH|SH|SS|TP|PP|B|IR|br|EX|EE)( |$))/;
  assertEquals(lines.filter((line) => /^[.']/.test(line) && !commands.test(line)), []);
  assertEquals(lines.filter((line) => /[^\x20-\x7e]/.test(line)), []);
});
