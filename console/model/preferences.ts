/** A person's preferences, kept by the browser. */
import { Store } from "./store.ts";

export type Theme = "system" | "light" | "dark";
export type DiffLayout = "inline" | "split";

export const theme = kept<Theme>("paddock-theme", ["system", "light", "dark"]);
export const layoutOfDiffs = kept<DiffLayout>("paddock-diff", ["inline", "split"]);

/** The first is the default. */
function kept<T extends string>(name: string, values: readonly [T, ...T[]]): Store<T> {
  const store = new Store<T>(values.find((value) => value === read(name)) ?? values[0]);
  store.listen(() => write(name, store.value));
  return store;
}

/** A browser may be set to keep nothing; then every visit starts from the defaults. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch { /* not kept */ }
}

export function wearTheme(): void {
  const wear = () => {
    document.documentElement.dataset.theme = theme.value;
  };
  theme.listen(wear);
  wear();
}
