/** Completion for zsh, using its _arguments. */
import { COMMANDS, type CompletedCommand, type CompletedFlag, isChoice, SERVER_FLAGS } from "./words.ts";

export function zshScript(): string {
  return `#compdef paddock
# zsh completion for paddock; written by: paddock completions zsh

${COMMANDS.map(commandFunction).join("\n\n")}

_paddock_first() {
  local -a commands=(
${COMMANDS.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join("\n")}
  )
  _describe -t commands command commands
  _directories
}

_paddock() {
  case \${words[2]} in
${
    COMMANDS.map(({ name }) =>
      `    ${name}) if ((CURRENT > 2)); then shift words; ((CURRENT--)); _paddock_${name}; return; fi ;;`
    ).join("\n")
  }
  esac
  _arguments -s \\
${SERVER_FLAGS.flatMap(specs).map((spec) => `    ${spec} \\`).join("\n")}
    '1:directory or command:_paddock_first' \\
    '*:directory:_directories'
}

if [ "$funcstack[1]" = "_paddock" ]; then _paddock "$@"; else compdef _paddock paddock; fi
`;
}

function commandFunction({ name, words, directories, flags }: CompletedCommand): string {
  const places = [
    ...(words.length > 0 ? [quoted(`1:${name}:(${words.join(" ")})`)] : []),
    ...(directories ? [quoted("*:directory:_directories")] : []),
  ];
  const lines = [...flags.flatMap(specs), ...places].map((spec) => `    ${spec}`);
  return `_paddock_${name}() {\n  _arguments -s \\\n${lines.join(" \\\n")}\n}`;
}

function specs({ name, short, value, repeatable, description }: CompletedFlag): string[] {
  const star = repeatable ? "*" : "";
  const about = `[${escaped(description)}]`;
  const action = isChoice(value)
    ? `:value:(${value.join(" ")})`
    : value === "files"
    ? ":file:_files"
    : value === "directories"
    ? ":directory:_directories"
    : value === "anything"
    ? ":value: "
    : "";
  const long = quoted(`${star}--${name}${value === "none" ? "" : "="}${about}${action}`);
  return short === undefined ? [long] : [long, quoted(`-${short}${about}`)];
}

/** Brackets and colons would end a description. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
