/** Foreign text: never markup, and nothing in it is hidden. */
import { piecesOf, visibleText } from "../text/visible.ts";

export function Shown({ text, tabs = false }: { text: string; tabs?: boolean }) {
  const pieces = piecesOf(text, { tabs });
  return (
    <>
      {pieces.map(({ text, label }, i) =>
        label === null ? text : <span key={i} class="hidden-character">{label}</span>
      )}
    </>
  );
}

/** A path, with its folder less prominent than its name. */
export function PathText({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <span class="path" title={visibleText(path)}>
      {cut > 0 && (
        <span class="path-folder">
          <Shown text={path.slice(0, cut)} />
        </span>
      )}
      <span class="path-name">
        <Shown text={path.slice(cut)} />
      </span>
    </span>
  );
}
