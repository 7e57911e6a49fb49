/** Which browser is available. Nothing heavy is imported here, because tests that need no browser ask too. */

const INSTALLED: Readonly<Record<string, readonly string[]>> = {
  linux: ["/usr/bin/chromium", "/usr/bin/google-chrome", "/usr/bin/chromium-browser"],
  darwin: ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
  windows: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

/** Whether one can be expected to run here. In CI one must: there, a missing one is a failure. */
export function hasBrowser(): boolean {
  return Deno.env.has("CI") || givenBrowser() !== undefined || isPacked() || installedBrowser() !== undefined;
}

export function givenBrowser(): string | undefined {
  const given = Deno.env.get("PADDOCK_BROWSER");
  return given === "" ? undefined : given;
}

/** Whether the package has one for this system; it needs glibc. */
export function isPacked(): boolean {
  return Deno.build.target === "x86_64-unknown-linux-gnu" && exists("/lib64/ld-linux-x86-64.so.2");
}

export function installedBrowser(): string | undefined {
  return INSTALLED[Deno.build.os]?.find(exists);
}

export function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
