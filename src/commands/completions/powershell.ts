/** Completion for PowerShell: tables, and one script block that looks words up in them. */
import { COMMANDS, type CompletedFlag, isChoice, SERVER_FLAGS, typed } from "./words.ts";

export function powershellScript(): string {
  return `# PowerShell completion for paddock; written by: paddock completions powershell

Register-ArgumentCompleter -Native -CommandName paddock -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $flags = @{
        '' = @(
${SERVER_FLAGS.flatMap(entries).join("\n")}
        )
${
    COMMANDS.map(({ name, flags }) =>
      `        '${name}' = @(\n${flags.flatMap(entries).join("\n")}\n        )`
    ).join("\n")
  }
    }
    $words = @{
        '' = @(${list(COMMANDS.map(({ name }) => name))})
${
    COMMANDS.filter(({ words }) => words.length > 0)
      .map(({ name, words }) => `        '${name}' = @(${list(words)})`).join("\n")
  }
    }
    $values = @{
${
    [...SERVER_FLAGS, ...COMMANDS.flatMap(({ flags }) => flags)]
      .flatMap(({ name, value }) => isChoice(value) ? [`        '--${name}=' = @(${list(value)})`] : [])
      .join("\n")
  }
    }
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { "$_" })
    $command = if ($before.Count -gt 0 -and $flags.ContainsKey($before[0])) { $before[0] } else { '' }
    $flag = if ($wordToComplete -match '^--[a-z-]+=') { $Matches[0] } else { '' }
    if ($flag -ne '') {
        foreach ($value in $values[$flag]) {
            if ("$flag$value".StartsWith($wordToComplete)) {
                [System.Management.Automation.CompletionResult]::new("$flag$value", $value, 'ParameterValue', $value)
            }
        }
        return
    }
    $place = if ($command -eq '') { 0 } else { 1 }
    if ($before.Count -eq $place) {
        foreach ($word in $words[$command]) {
            if ($word.StartsWith($wordToComplete)) {
                [System.Management.Automation.CompletionResult]::new($word, $word, 'Command', $word)
            }
        }
    }
    foreach ($pair in $flags[$command]) {
        if ($pair[0].StartsWith($wordToComplete)) {
            [System.Management.Automation.CompletionResult]::new($pair[0], $pair[0], 'ParameterName', $pair[1])
        }
    }
}
`;
}

function entries(flag: CompletedFlag): string[] {
  const entry = (word: string) => `            , @(${list([word, flag.description])})`;
  return flag.short === undefined ? [entry(typed(flag))] : [entry(typed(flag)), entry(`-${flag.short}`)];
}

function list(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "''")}'`).join(", ");
}
