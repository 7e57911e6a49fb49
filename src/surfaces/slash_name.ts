/** `fs_read_text_file` as the surface's specification spells it: `fs/read_text_file`. */
export function slashName(name: string): string {
  return name.replace(/^(fs|workspace)_/, "$1/");
}
