/**
 * Packages that only tests use are imported here, by their full names, and deno.json points to these modules. So they
 * are in tests/deno.lock, not in deno.lock, and a first start of the server does not download them.
 */
export { default } from "npm:fast-check@4.10.2";
export * from "npm:fast-check@4.10.2";
