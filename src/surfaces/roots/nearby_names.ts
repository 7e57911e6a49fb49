/** Adds names of a root that a missing path may mean to the error of a call. */
import { withNearbyNames as withNames } from "../nearby_names.ts";
import type { RootsContext } from "./context.ts";

export async function withNearbyNames<T>(
  context: RootsContext,
  { root, path }: { root: string; path: string },
  run: () => Promise<T>,
): Promise<T> {
  const { call: { signal }, mayEnter } = context;
  const top = () => {
    const allowed = context.roots().find(({ name }) => name === root)?.allowed_tools ?? [];
    const isListed = allowed.includes("glob") || allowed.includes("list_folder");
    return isListed ? context.resolve(root, ".") : undefined;
  };
  return await withNames({ path, signal, top, mayEnter }, run);
}
