import { assert } from "@std/assert";
import { generate } from "../../docs/generate.ts";
import { REPOSITORY } from "../support/server.ts";

/** As `deno fmt` would format it. */
async function formatted(text: string, extension: string): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", extension, "-"],
    stdin: "piped",
    stdout: "piped",
    cwd: REPOSITORY,
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

Deno.test("the generated docs are current (deno task docs)", async () => {
  for (const [path, text] of Object.entries(generate())) {
    const extension = path.slice(path.lastIndexOf(".") + 1);
    const hasItsOwnForm = extension === "1" || path.startsWith("src/");
    const expected = hasItsOwnForm ? text : await formatted(text, extension);
    const isCurrent = Deno.readTextFileSync(REPOSITORY + path) === expected;
    assert(isCurrent, `${path} is out of date: run deno task docs`);
  }
});
