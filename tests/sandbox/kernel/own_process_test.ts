/** What the C library reports about the process, compared with /proc, which an executable may not read. */
import { assertEquals } from "@std/assert";
import { parseOpenFiles } from "../../../src/cli/host_facts.ts";
import {
  descriptors,
  isInBackgroundOfTerminal,
  openFilesLimit,
} from "../../../src/sandbox/kernel/own_process.ts";
import { isInBackground, standardStreams } from "../../../src/sandbox/process.ts";
import { onLinux } from "../../support/needs.ts";
import { tempFolder } from "../../support/temp.ts";

Deno.test(onLinux("openFilesLimit is the limit that /proc reports"), () => {
  assertEquals(openFilesLimit(), parseOpenFiles(Deno.readTextFileSync("/proc/self/limits")));
});

Deno.test(onLinux("descriptors tells where each descriptor leads and what it is for"), () => {
  using folder = tempFolder();
  const path = folder.write("a.txt", "");
  const fds = () => [...Deno.readDirSync("/proc/self/fd")].map(({ name }) => Number(name));
  for (
    const [options, flags] of [[{ read: true }, 0], [{ write: true }, 1], [
      { read: true, write: true },
      2,
    ]] as const
  ) {
    using _file = Deno.openSync(path, options);
    const found = descriptors(fds()).find((it) => it?.path === path);
    assertEquals((found?.flags ?? -1) & 3, flags);
  }
  assertEquals(descriptors([9_999]), [undefined]);
});

Deno.test({
  ...onLinux("isInBackground and standardStreams say the same where /proc is closed"),
  permissions: { read: true, ffi: true },
  fn() {
    assertEquals(standardStreams(), { stdin: true, stdout: true });
    assertEquals(isInBackground(), isInBackgroundOfTerminal());
  },
});

Deno.test({
  name: "without the permission to load libraries nothing is known, and nobody is asked",
  permissions: "none",
  fn() {
    assertEquals([openFilesLimit(), isInBackgroundOfTerminal()], [undefined, undefined]);
    assertEquals(descriptors([0]), []);
  },
});
