/** `paddock doctor`: examines directories on this machine and reports what it finds. */
import { UsageError } from "../../base/errors.ts";
import { NAME } from "../../base/version.ts";
import { quote } from "../../cli/mistakes.ts";
import { realDirectory } from "../../cli/root_dirs.ts";
import { Signals } from "../../sandbox/process.ts";
import { painter } from "../colours.ts";
import type { CommandArguments, CommandIo } from "../command.ts";
import { examine } from "./examine.ts";
import type { Finding } from "./finding.ts";
import { type Examined, findingLine, jsonReport, sumLine } from "./report.ts";

export async function doctor({ words, flags }: CommandArguments, io: CommandIo): Promise<number> {
  const directories = (words.length === 0 ? ["."] : words).map(real);
  const { signal } = stoppable();
  const paint = painter(io.colours);
  const asText = (line: string) => flags.json || io.print(line);
  const examined: Examined[] = [];
  for (const directory of directories) {
    if (signal.aborted) break;
    const findings: Finding[] = [];
    asText(paint("bold", directory));
    for await (const found of examine(directory, { ...io, note: io.note, signal })) {
      findings.push(found);
      asText(findingLine(found, paint));
    }
    examined.push({ directory, findings });
  }
  const all = examined.flatMap(({ findings }) => findings);
  if (flags.json) io.print(jsonReport(examined));
  else io.print(sumLine(all, paint));
  if (signal.aborted) io.note("stopped before the end");
  return signal.aborted || all.some(({ status }) => status === "failed") ? 1 : 0;
}

function real(directory: string): string {
  const checked = realDirectory(directory);
  if ("value" in checked) return checked.value;
  throw new UsageError([
    `directory ${
      quote(directory)
    } ${checked.reason}, but must be an existing directory; example: ${NAME} doctor .`,
  ]);
}

/** A signal ends the examination after the current check, so that the working folder is removed. */
function stoppable(): AbortController {
  const controller = new AbortController();
  new Signals().actOn({ stop: () => controller.abort(), reload: () => {} });
  return controller;
}
