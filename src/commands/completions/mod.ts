/** The completion script of each shell. */
import type { Shell } from "../../cli/subcommands.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { powershellScript } from "./powershell.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS: Record<Shell, () => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell]();
}
