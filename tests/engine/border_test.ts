// What a move may take into another root, and what it may not.
import { assert, assertEquals } from "@std/assert";
import { climbsOut } from "../../src/engine/border.ts";
import { moveEntry } from "../../src/engine/move.ts";
import { type EngineFolder, engineFolder, refusal } from "../support/engine.ts";
import { type Need, needs, onLinux } from "../support/needs.ts";

const ITSELF = { follow: false };

/** Runs a shell command in a folder. */
function sh(folder: EngineFolder, command: string): void {
  const { success } = new Deno.Command("sh", { args: ["-c", command], cwd: folder.path }).outputSync();
  assert(success, command);
}

function moveAway(from: EngineFolder, to: EngineFolder, path: string): Promise<void> {
  return moveEntry(from.at(path, ITSELF), to.at(`new/${path}`, ITSELF), from.changing);
}

const ELSEWHERE = "a link that leads nowhere, or would lead elsewhere after the move";
const OUTSIDE = "a link that leads outside the root";
const REFUSED: [what: string, make: string, code: string, why: string, ...programs: Need[]][] = [
  ["a link that leads outside", "ln -s /etc/hosts dir/sub/x", "OUT_OF_BOUNDS", OUTSIDE],
  ["a link that climbs outside", "ln -s ../../.. dir/sub/x", "OUT_OF_BOUNDS", OUTSIDE],
  ["a dangling link", "ln -s nowhere dir/sub/x", "UNSUPPORTED", ELSEWHERE],
  ["a link to what stays behind", "ln -s ../../stays dir/sub/x", "UNSUPPORTED", ELSEWHERE],
  ["an absolute link", 'ln -s "$PWD/dir/a" dir/sub/x', "UNSUPPORTED", ELSEWHERE],
  ["a link out and in again", "ln -s ../../dir/a dir/sub/x", "UNSUPPORTED", ELSEWHERE],
  ["a pipe", "mkfifo dir/sub/x", "UNSUPPORTED", "a pipe, socket or device", "mkfifo"],
];

for (const [what, make, code, why, ...programs] of REFUSED) {
  Deno.test(
    needs("basic tools", ...programs)(
      `moveEntry of a folder into another root refuses ${what} in it, and moves nothing`,
    ),
    async () => {
      using from = engineFolder();
      using to = engineFolder();
      for (const name of ["dir/a", "dir/sub/b", "stays"]) from.write(name, "x");
      sh(from, make);
      const before = from.names();
      assertEquals(
        await refusal(moveAway(from, to, "dir")),
        `${code}: "dir" contains "dir/sub/x", ${why}; nothing was moved`,
      );
      assertEquals([from.names(), to.names()], [before, []]);
      await moveEntry(from.at("dir"), from.at("other"), from.changing); // within one root it is a plain rename
      assert(from.names().includes("other/sub/x"));
    },
  );
}

Deno.test(
  needs("basic tools")(
    "moveEntry of a folder into another root moves links along that lead to what moves with them",
  ),
  async () => {
    using from = engineFolder();
    using to = engineFolder();
    from.write("dir/a", "a");
    from.write("dir/sub/b", "b");
    sh(
      from,
      "cd dir && ln -s a one && ln -s sub two && ln -s ../a sub/three && ln -s ./../sub/../a sub/four",
    );
    await moveAway(from, to, "dir");
    assertEquals(from.names(), []);
    assertEquals(["one", "two/b", "sub/three", "sub/four"].map((name) => to.read(`new/dir/${name}`)), [
      "a",
      "b",
      "a",
      "a",
    ]);
  },
);

Deno.test({
  ...onLinux("moveEntry of a folder into another root refuses names in it that are not valid UTF-8"),
  async fn() {
    using from = engineFolder();
    using to = engineFolder();
    from.write("dir/sub/a", "x");
    sh(from, `echo x > "dir/sub/$(printf '\\377')"`);
    assertEquals(
      await refusal(moveAway(from, to, "dir")),
      'UNSUPPORTED: "dir" contains "dir/sub", with names that are not valid UTF-8 (1) and cannot be looked up; ' +
        "nothing was moved",
    );
    assertEquals(to.names(), []);
  },
});

Deno.test(
  needs("basic tools", "mkfifo")("moveEntry moves no single link or pipe into another root"),
  async () => {
    using from = engineFolder();
    using to = engineFolder();
    from.write("a", "x");
    sh(from, "ln -s a link && ln -s nowhere lost && mkfifo pipe && ln -s /etc away");
    for (const name of ["link", "lost", "pipe"]) {
      assertEquals(
        await refusal(moveAway(from, to, name)),
        `UNSUPPORTED: only files and folders can be moved to another root: "${name}"; you can remove it here`,
      );
    }
    assertEquals(
      await refusal(moveAway(from, to, "away")),
      'OUT_OF_BOUNDS: cannot move a link that leads outside the root: "away"',
    );
    assertEquals([from.names(), to.names()], [["a", "away", "link", "lost", "pipe"], []]);
  },
);

Deno.test(
  needs("basic tools")("moveEntry moves no link to where it would lead outside the root"),
  async () => {
    using folder = engineFolder();
    folder.write("a", "x");
    folder.write("deep/er/b", "x");
    sh(folder, "ln -s ../../a deep/er/link");
    const move = (to: string) => moveEntry(folder.at("deep/er/link", ITSELF), folder.at(to), folder.changing);
    assertEquals(
      await refusal(move("deep/link")),
      'OUT_OF_BOUNDS: cannot move a link that leads outside the root from there: "deep/er/link"',
    );
    await move("deep/er/moved");
    assertEquals(folder.names(), ["a", "deep/", "deep/er/", "deep/er/b", "deep/er/moved"]);
  },
);

Deno.test("climbsOut decides by names alone whether a link leads out of a folder", () => {
  const cases: [text: string, below: string, expected: boolean][] = [
    ["a", "", false],
    ["..", "", true],
    ["..", "/sub", false],
    ["../..", "/sub", true],
    ["a/../..", "", true],
    ["./a//../b", "", false],
    ["../../x", "/sub/deep", false],
    ["/etc", "/sub", true],
    ["", "", false],
  ];
  for (const [text, below, expected] of cases) assertEquals(climbsOut(text, below), expected, text);
});
