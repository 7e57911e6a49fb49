/**
 * No test may leave anything in the state folder of the person who runs it: servers started from here record no
 * changes, unless a test names a folder for that (--undo-dir).
 */
Deno.env.set("PADDOCK_NO_UNDO", "true");

/** For tests that start a server with few variables. */
export const NO_UNDO_ENV = { PADDOCK_NO_UNDO: "true" };
