import type { Program } from "../base/program.ts";

/** This program, and what runs it. */
export function thisProgram(): Program {
  return {
    standalone: Deno.build.standalone,
    executable: Deno.execPath(),
    mainModule: Deno.mainModule,
    denoVersion: Deno.version.deno,
    os: Deno.build.os,
  };
}
