/** Completion for bash 3.2 and later: no name references, no mapfile. */
import { COMMANDS, type CompletedFlag, isChoice, SERVER_FLAGS, typed } from "./words.ts";

export function bashScript(): string {
  return `# bash completion for paddock; written by: paddock completions bash

# With compopt bash puts the space behind a word, and quotes names of files; without it we put the space.
_paddock_space=" "
if type compopt >/dev/null 2>&1; then _paddock_space=; fi

_paddock_words() {
  local word
  for word in $1; do
    [[ $word == "$cur"* ]] || continue
    if [[ $word == *= ]]; then
      COMPREPLY+=("$word")
      [[ -n $_paddock_space ]] || compopt -o nospace 2>/dev/null
    else
      COMPREPLY+=("$word$_paddock_space")
    fi
  done
  return 0
}

_paddock_paths() {
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$cur")
  [[ -n $_paddock_space ]] || compopt -o filenames 2>/dev/null
  return 0
}

_paddock_value() {
  case $1 in
${valueCases([...SERVER_FLAGS, ...COMMANDS.flatMap(({ flags }) => flags)])}
    *) return 1 ;;
  esac
}

_paddock() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  # bash takes --port=1 apart at the equals sign
  if [[ $cur == = ]]; then
    cur=
    _paddock_value "$prev"
    return
  fi
  if [[ $prev == = ]]; then
    _paddock_value "\${COMP_WORDS[COMP_CWORD-2]}"
    return
  fi
  _paddock_value "$prev" && return
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
${COMMANDS.map(commandCase).join("\n")}
    esac
  fi
  if [[ $cur == -* ]]; then
    _paddock_words "${SERVER_FLAGS.flatMap(spelled).join(" ")}"
    return
  fi
  ((COMP_CWORD == 1)) && _paddock_words "${COMMANDS.map(({ name }) => name).join(" ")}"
  _paddock_paths -d
}

if [[ -n $_paddock_space ]]; then complete -o nospace -F _paddock paddock; else complete -F _paddock paddock; fi
`;
}

function valueCases(flags: readonly CompletedFlag[]): string {
  const cases = new Map<string, string>();
  for (const { name, value } of flags) {
    if (value === "none") continue;
    const action = isChoice(value)
      ? `_paddock_words "${value.join(" ")}"`
      : value === "files"
      ? "_paddock_paths -f"
      : value === "directories"
      ? "_paddock_paths -d"
      : ":";
    cases.set(name, `    --${name}) ${action} ;;`);
  }
  return [...cases.values()].join("\n");
}

function commandCase({ name, words, directories, flags }: typeof COMMANDS[number]): string {
  const first = words.length > 0 ? `((COMP_CWORD == 2)) && _paddock_words "${words.join(" ")}"` : "";
  const further = directories
    ? words.length > 0 ? "((COMP_CWORD > 2)) && _paddock_paths -d" : "_paddock_paths -d"
    : "";
  return [
    `      ${name})`,
    `        if [[ $cur == -* ]]; then _paddock_words "${flags.flatMap(spelled).join(" ")}"; return; fi`,
    ...[first, further].filter((line) => line !== "").map((line) => `        ${line}`),
    "        return",
    "        ;;",
  ].join("\n");
}

function spelled(flag: CompletedFlag): string[] {
  return flag.short === undefined ? [typed(flag)] : [typed(flag), `-${flag.short}`];
}
