// The few functions of Deno's standard library that are used here. The npm package has the code without its
// types; this file can go once the library's own registry is used.

declare module "@std/path/basename" {
  export function basename(path: string, suffix?: string): string;
}
declare module "@std/path/dirname" {
  export function dirname(path: string): string;
}
declare module "@std/path/is-absolute" {
  export function isAbsolute(path: string): boolean;
}
declare module "@std/path/join" {
  export function join(path: string, ...paths: string[]): string;
}
declare module "@std/path/normalize" {
  export function normalize(path: string): string;
}
declare module "@std/path/resolve" {
  export function resolve(...paths: string[]): string;
}

declare module "@std/cli/parse-args" {
  export interface ParseOptions {
    string?: readonly string[];
    boolean?: readonly string[];
    collect?: readonly string[];
    alias?: Record<string, string | readonly string[]>;
    default?: Record<string, unknown>;
    negatable?: readonly string[];
    stopEarly?: boolean;
    "--"?: boolean;
    unknown?: (arg: string, key?: string, value?: unknown) => unknown;
  }
  export interface Parsed {
    _: (string | number)[];
    [name: string]: unknown;
  }
  export function parseArgs(args: readonly string[], options?: ParseOptions): Parsed;
}

declare module "@std/fmt/bytes" {
  export function format(
    bytes: number,
    options?: { binary?: boolean; maximumFractionDigits?: number; minimumFractionDigits?: number },
  ): string;
}

declare module "@std/assert" {
  export class AssertionError extends Error {}
  export function assert(expression: unknown, message?: string): asserts expression;
  export function assertEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertStrictEquals<T>(actual: unknown, expected: T, message?: string): asserts actual is T;
  export function assertMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertStringIncludes(actual: string, expected: string, message?: string): void;
  export function assertExists<T>(actual: T, message?: string): asserts actual is NonNullable<T>;
  export function assertGreater<T>(actual: T, expected: T, message?: string): void;
  export function assertLess<T>(actual: T, expected: T, message?: string): void;
  export function assertInstanceOf<T>(
    actual: unknown,
    type: new (...args: never[]) => T,
    message?: string,
  ): asserts actual is T;
  export function assertThrows<E extends Error = Error>(
    fn: () => unknown,
    type?: new (...args: never[]) => E,
    includes?: string,
  ): E;
  export function assertRejects<E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    type?: new (...args: never[]) => E,
    includes?: string,
  ): Promise<E>;
  export function fail(message?: string): never;
}
