/** A link to another view: followed within the page, or opened in a new tab like any other. */
import type { ComponentChildren } from "preact";
import type { Console } from "../model/console.ts";
import { hrefOf, type Route } from "../model/route.ts";

interface Props {
  readonly app: Console;
  readonly to: Route;
  readonly class?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

export function Link({ app, to, class: name, current, children }: Props) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    app.acts.cancel();
    app.go(to);
  };
  return (
    <a href={hrefOf(to)} class={name} aria-current={current ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}
