#!/usr/bin/env node
// Runs the paddock executable that was installed for this system as if it had been started directly: with the
// same arguments, standard streams, signals and exit code.
"use strict";
const { spawn } = require("node:child_process");
const process = require("node:process");
const own = require("../package.json");

const platform = `${process.platform}-${process.arch}`;
const name = Object.keys(own.optionalDependencies).find((name) => name.endsWith(`/${platform}`));

function fail(message) {
  process.stderr.write(`error: ${message}\n`);
  process.exit(1);
}

function isMusl() {
  if (process.platform !== "linux") return false;
  const { header } = process.report.getReport();
  return header.glibcVersionRuntime === undefined;
}

function findExecutable() {
  if (name === undefined) {
    const known = Object.keys(own.optionalDependencies).map((name) => name.split("/")[1]).join(", ");
    return fail(`${own.name} has no executable for ${platform}; there are: ${known}`);
  }
  const wanted = `${name}@${own.version}`;
  let found;
  try {
    found = require(`${name}/package.json`).version;
  } catch {
    if (isMusl()) {
      return fail(
        `${own.name} needs glibc, which this system does not have (it has musl, as Alpine Linux does)`,
      );
    }
    return fail(
      `the package ${wanted} is missing, which holds the executable for ${platform}.
It is an optional dependency of ${own.name}: npm leaves it out with --omit=optional or --no-optional, and it is
another one when node_modules comes from another system. Install ${own.name} again without these, or add it:
  npm install ${wanted}`,
    );
  }
  if (found !== own.version) {
    fail(`the package ${name} is version ${found}, but ${own.name} needs ${own.version}`);
  }
  return require.resolve(`${name}/bin/paddock${process.platform === "win32" ? ".exe" : ""}`);
}

function passOn(signal) {
  child.kill(signal); // signals arrive between other work, so the child has started by then
}

const executable = findExecutable();

// Handled before the child starts, so that no signal ends this process and leaves the child behind.
const signals = process.platform === "win32"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
for (const signal of signals) process.on(signal, () => passOn(signal));
const child = spawn(executable, process.argv.slice(2), { stdio: "inherit", windowsHide: true });

child.on("error", (error) => {
  const why = error.code === "ENOENT" && isMusl()
    ? "it needs glibc, and this system has musl"
    : error.message;
  fail(`${executable} cannot be started: ${why}`);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal); // so that our parent sees what ended the child
  setTimeout(() => process.exit(70), 1000); // in case that signal does not end this process
});
