/** Adds names of a workspace that a missing path may mean to the error of a call. */
import { PaddockError } from "../../base/errors.ts";
import { addNearbyNames } from "../nearby_names.ts";
import type { WorkspacesContext } from "./context.ts";

interface Meant {
  readonly workspaceId: string;
  /** The path of a call, or of the change in it that an error is about. */
  readonly path: string | ((changeIndex: number) => string | undefined);
}

export async function withNearbyNames<T>(
  context: WorkspacesContext,
  { workspaceId, path: given }: Meant,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof PaddockError) || error.code !== "NOT_FOUND") throw error;
    const path = typeof given === "string" ? given : given(Number(error.data?.changeIndex));
    if (path === undefined || error.data?.argument === "workspaceId") throw error;
    const top = (await context.open(workspaceId)).resolve(".");
    throw await addNearbyNames({ path, signal: context.call.signal, top: () => top }, error);
  }
}
