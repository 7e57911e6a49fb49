/**
 * The wording for a change that ended halfway: the caller has to know what was done and what was not, or might do
 * it again, or take an incomplete result for complete.
 */
import { PaddockError } from "../base/errors.ts";
import { osCode } from "../confine/os_errors.ts";

/** The same error with a reworded message. */
export function reworded(error: unknown, words: (reason: string) => string): PaddockError {
  if (!(error instanceof PaddockError)) {
    const said = osCode(error) ?? "an unexpected error";
    const reason = `the system reported ${said}; the server's log says more`;
    return new PaddockError("INTERNAL", words(reason), { cause: error });
  }
  const { code, message, data, audit } = error;
  return new PaddockError(code, words(message), {
    cause: error,
    ...(data === undefined ? {} : { data }),
    ...(audit === undefined ? {} : { audit }),
  });
}

/** Runs what happens before anything is changed: its errors end with `nothing`, as in: nothing was removed. */
export async function beforehand<T>(nothing: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    throw error instanceof PaddockError ? reworded(error, (reason) => `${reason}; ${nothing}`) : error;
  }
}
