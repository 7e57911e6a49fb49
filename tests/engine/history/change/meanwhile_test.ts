/** What a person, or git, does during a change: nothing of it may be lost. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { openHistory, type Step } from "../../../../src/engine/history/mod.ts";
import { refusal } from "../../../support/engine.ts";
import { withGit } from "../../../support/needs.ts";
import { SAVE_STYLES, STYLES } from "../../../support/person.ts";
import { newWorkspace, REQUEST, type Workspace } from "../workspace.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const MEANWHILE: [name: string, steps: (work: Workspace) => Step[], path: string, status: string][] = [
  [
    "a file that is to be written",
    ({ at }) => [{ kind: "put", path: at("a"), bytes: encode("ours\n") }],
    "a",
    " M a",
  ],
  [
    "where one is to be created",
    ({ at }) => [{ kind: "put", path: at("n"), bytes: encode("ours\n") }],
    "n",
    " M n",
  ],
  ["a file that is to be removed", ({ at }) => [{ kind: "remove", path: at("a") }], "a", "?? a"],
  ["in a folder that is to be removed", ({ at }) => [{ kind: "remove", path: at("d") }], "d/e/b", "?? d/"],
  ["a new file in such a folder", ({ at }) => [{ kind: "remove", path: at("d") }], "d/new", "?? d/"],
  ["a file that is to be moved", ({ at }) => [{ kind: "move", from: at("a"), to: at("m") }], "a", " M m"],
];

for (const [name, steps, path, status] of MEANWHILE) {
  Deno.test(withGit(`change leaves alone what a person writes meanwhile: ${name}`), async () => {
    using work = await newWorkspace();
    for (const file of ["a", "d/c", "d/e/b"]) await work.put(file, "once\n");
    const onStep = (step: string) => void (step === "journal" && work.write(path, "person\n"));
    const history = openHistory(work.root, { onStep });
    await history.change(REQUEST, () => ({ summary: "x", steps: steps(work), value: null }));
    assertEquals(work.read(status === " M m" ? "m" : path), "person\n");
    assertEquals(work.git("status", "--porcelain"), `${status}\n`);
    assertEquals(work.git("fsck", "--strict", "--no-dangling"), "");
    assertEquals(work.names().includes("d/c"), !status.endsWith("d/"));
  });
}

Deno.test(
  withGit("restore of many files leaves alone what a person writes while it is running"),
  async () => {
    using work = await newWorkspace();
    const names = Array.from({ length: 40 }, (_, i) => `f${10 + i}`);
    await work.change(
      ...names.map((name): Step => ({ kind: "put", path: work.at(name), bytes: encode("v1\n") })),
    );
    await work.change(
      ...names.map((name): Step => ({ kind: "put", path: work.at(name), bytes: encode("v2\n") })),
      { kind: "put", path: work.at("new"), bytes: encode("v2\n") },
    );
    let steps = 0;
    const onStep = (step: string) => {
      if (step !== "working tree" || steps++ > 0) return;
      work.write("f49", "person\n");
      work.write("new", "person\n");
    };
    const { changed } = await openHistory(work.root, { onStep }).restore(REQUEST, {
      commit: "HEAD~1",
      maxFiles: 9,
    });
    assert(changed);
    assertEquals(work.read("f48") + work.read("f49") + work.read("new"), "v1\nperson\nperson\n");
    assertEquals(work.git("status", "--porcelain"), " M f49\n?? new\n");
  },
);

Deno.test(
  withGit("change that fails leaves what a person has written since over its own work"),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "old\n");
    const onStep = (step: string) => {
      if (step === "synced") {
        Deno.removeSync(`${work.path}/in_the_way`, { recursive: true });
        work.write("in_the_way", "theirs\n");
      }
      if (step === "working tree") { for (const path of ["a", "new"]) work.write(path, "person\n"); }
    };
    const steps = ["a", "new", "in_the_way/x"]
      .map((path): Step => ({ kind: "put", path: work.at(path), bytes: encode("ours\n") }));
    const failed = await openHistory(work.root, { onStep })
      .change(REQUEST, () => ({ summary: "x", steps, value: null })).then(() => false, () => true);
    assert(failed);
    assertEquals(work.read("a") + work.read("new"), "person\nperson\n");
  },
);

Deno.test(
  withGit("restore that removes many files lists their folder only a few times, and lets others have a turn"),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "x\n");
    for (let i = 0; i < 400; i++) work.write(`d/${i % 2}/f${i}`, "x\n");
    work.git("add", "-A");
    work.git("commit", "-qm", "many");
    const { readDirSync } = Deno;
    let [lists, turns] = [0, 0];
    const timer = setInterval(() => turns++, 0);
    Deno.readDirSync = (path) => {
      if (String(path).startsWith(`${work.path}/d`)) lists++;
      return readDirSync(path);
    };
    try {
      await work.history.restore(REQUEST, { commit: "HEAD~1", maxFiles: 9 });
    } finally {
      Deno.readDirSync = readDirSync;
      clearInterval(timer);
    }
    assert(lists < 20, `${lists} times`);
    assert(turns > 1, `${turns} turns`);
    assertEquals(work.names().filter((name) => !name.startsWith(".git/")), ["a"]);
    work.judge();
  },
);

Deno.test(withGit("change recreates a missing folder of packs"), async () => {
  using work = await newWorkspace();
  Deno.removeSync(`${work.path}/.git/objects/pack`);
  await work.put("a", "x\n");
  work.judge();
});

for (const step of ["staged", "journal", "synced"]) {
  Deno.test(withGit(`change loses no object to git's cleanup at the step "${step}"`), async () => {
    using work = await newWorkspace();
    await work.put("a", "old\n");
    const onStep = (reached: string) => {
      if (reached !== step) return;
      work.git("prune", "--expire=now");
      work.git("repack", "-adq");
    };
    const steps: Step[] = [{ kind: "put", path: work.at("a"), bytes: encode("new\n") }];
    const plan = () => ({ summary: "x", steps, value: null });
    assert((await openHistory(work.root, { onStep }).change(REQUEST, plan)).changed);
    work.judge();
    assertEquals(work.git("show", "HEAD:a"), "new\n");
  });
}

Deno.test(
  withGit(
    "change starts again on top of a commit that a person makes meanwhile, and gives up if that never stops",
  ),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "once\n");
    /** A commit with which git moves the branch, as at the end of a `git commit` that began earlier. */
    const theirs = () => {
      const commit = work.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "theirs").trim();
      work.git("update-ref", "refs/heads/main", commit);
      return commit;
    };
    const put: Step = { kind: "put", path: work.at("a"), bytes: encode("ours\n") };
    const plan = () => ({ summary: "x", steps: [put], value: null });
    let parent = "";
    const once = (step: string) => void (step === "staged" && parent === "" && (parent = theirs()));
    const { commit } = await openHistory(work.root, { onStep: once }).change(REQUEST, plan);
    assertEquals(work.git("rev-parse", `${commit}^`).trim(), parent);
    work.judge();
    const always = (step: string) => void (step === "staged" && theirs());
    const other = () => ({ ...plan(), steps: [{ ...put, bytes: encode("never\n") }] });
    assertMatch(
      await refusal(openHistory(work.root, { onStep: always }).change(REQUEST, other)),
      /^CONFLICT: the branch/,
    );
    assertEquals(work.read("a"), "ours\n");
    work.judge();
  },
);

for (const style of STYLES) {
  Deno.test(
    withGit(
      `change is planned again when a person saves (${style}) what the plan has read, before it is checked`,
    ),
    async () => {
      using work = await newWorkspace();
      await work.put("a", "one\n");
      const seen: string[] = [];
      const { kept } = await work.history.change(REQUEST, () => {
        const text = work.read("a");
        seen.push(text);
        if (seen.length === 1) SAVE_STYLES[style](`${work.path}/a`, "two\n");
        const step: Step = {
          kind: "put",
          path: work.at("a"),
          bytes: encode(`${text}+\n`),
          madeFrom: encode(text),
        };
        return { summary: "x", steps: [step], value: null };
      });
      assertEquals([seen, work.read("a")], [["one\n", "two\n"], "two\n+\n"]);
      assertEquals(work.git("show", `${kept}:a`), "two\n");
      work.judge();
    },
  );

  Deno.test(withGit(`change is planned again when a person saves (${style}) before the record`), async () => {
    using work = await newWorkspace();
    await work.put("a", "one\n");
    let plans = 0;
    const onStep = (step: string) => {
      if (step === "staged" && plans === 1) SAVE_STYLES[style](`${work.path}/a`, "another\n");
    };
    const path = work.at("a");
    await openHistory(work.root, { onStep }).change(REQUEST, () => {
      plans++;
      const steps: Step[] = [{ kind: "put", path, bytes: encode(`${work.read("a")}+\n`) }];
      return { summary: "x", steps, value: null };
    });
    assertEquals([plans, work.read("a")], [2, "another\n+\n"]);
    work.judge();
  });
}

Deno.test(
  withGit("change notices what a person writes in place meanwhile, even if size and time stay the same"),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "one\n");
    const { atime, mtime } = Deno.statSync(`${work.path}/a`);
    const onStep = (step: string) => {
      if (step !== "journal") return;
      SAVE_STYLES.inPlace(`${work.path}/a`, "two\n");
      Deno.utimeSync(`${work.path}/a`, atime ?? 0, mtime ?? 0);
    };
    const steps: Step[] = [{ kind: "put", path: work.at("a"), bytes: encode("ours\n") }];
    await openHistory(work.root, { onStep }).change(REQUEST, () => ({ summary: "x", steps, value: null }));
    assertEquals([work.read("a"), work.git("status", "--porcelain")], ["two\n", " M a\n"]);
  },
);

for (const style of ["truncate", "inPlace"] as const) {
  Deno.test(
    withGit(`change puts back what a person saves (${style}) into the file that was just replaced`),
    async () => {
      using work = await newWorkspace();
      await work.put("a", "one\n");
      const history = openHistory(work.root);
      const editor = Deno.openSync(`${work.path}/a`, { write: true });
      const rename = Deno.renameSync;
      Deno.renameSync = (from, to) => {
        rename(from, to);
        if (String(to) !== `${work.path}/a`) return;
        Deno.renameSync = rename;
        if (style === "truncate") editor.truncateSync(0);
        editor.writeSync(encode("per"));
        setTimeout(() => editor.writeSync(encode("son\n")), 2);
      };
      try {
        const steps: Step[] = [{ kind: "put", path: work.at("a"), bytes: encode("ours\n") }];
        await history.change(REQUEST, () => ({ summary: "x", steps, value: null }));
      } finally {
        Deno.renameSync = rename;
        editor.close();
      }
      assertEquals([work.read("a"), work.git("show", "HEAD:a")], ["person\n", "ours\n"]);
      assertEquals(work.git("status", "--porcelain"), " M a\n");
      assertEquals(work.names().filter((name) => name.endsWith(".tmp")), []);
    },
  );
}

Deno.test(
  withGit("change does not replace a file that appears in the instant before the rename"),
  async (t) => {
    const cases: [name: string, steps: (work: Workspace) => Step[]][] = [
      ["where one is created", ({ at }) => [{ kind: "put", path: at("new"), bytes: encode("ours\n") }]],
      ["where one is moved to", ({ at }) => [{ kind: "move", from: at("a"), to: at("new") }]],
    ];
    for (const [name, steps] of cases) {
      await t.step(name, async () => {
        using work = await newWorkspace();
        await work.put("a", "one\n");
        const link = Deno.linkSync;
        Deno.linkSync = (from, to) => {
          if (String(to) === `${work.path}/new`) work.write("new", "person\n");
          link(from, to);
        };
        try {
          await work.change(...steps(work)).catch((error) => assertEquals(error.code, "CONFLICT"));
        } finally {
          Deno.linkSync = link;
        }
        assertEquals(work.read("new") + work.read("a"), "person\none\n");
      });
    }
  },
);

Deno.test(
  withGit("change waits for a tool of another surface that is in the middle of changing the file"),
  async () => {
    using work = await newWorkspace();
    for (const path of ["written", "removed", "moved"]) await work.put(path, "one\n");
    const cases: [path: string, step: Step][] = [
      ["written", { kind: "put", path: work.at("written"), bytes: encode("ours\n") }],
      ["removed", { kind: "remove", path: work.at("removed") }],
      ["moved", { kind: "move", from: work.at("moved"), to: work.at("there") }],
    ];
    for (const [path, step] of cases) {
      const file = Deno.openSync(`${work.path}/${path}`, { read: true, write: true });
      assert(file.tryLockSync(true));
      let isLocked = true;
      const letGo = setTimeout(() => {
        isLocked = false;
        file.close();
      }, 30);
      await work.change(step).finally(() => clearTimeout(letGo));
      assert(!isLocked, `${path} was changed while it was locked`);
    }
    work.judge();
  },
);

Deno.test(
  withGit(
    "change is planned again, with the file locked, if it is saved after the record and was made from its content",
  ),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "one\n");
    let plans = 0;
    const onStep = (step: string) => {
      if (step === "journal" && plans === 1) SAVE_STYLES.truncate(`${work.path}/a`, "person\n");
    };
    const locked: boolean[] = [];
    await openHistory(work.root, { onStep }).change(REQUEST, () => {
      plans++;
      using rival = Deno.openSync(`${work.path}/a`, { read: true, write: true });
      locked.push(!rival.tryLockSync(true));
      const text = work.read("a");
      const steps: Step[] = [
        { kind: "put", path: work.at("b"), bytes: encode("with it\n") },
        { kind: "put", path: work.at("a"), bytes: encode(`${text}+\n`), madeFrom: encode(text) },
      ];
      return { summary: "x", steps, value: null };
    });
    assertEquals([locked, work.read("a"), work.read("b")], [[false, true], "person\n+\n", "with it\n"]);
    assertEquals(work.git("log", "--format=%s", "-3").split("\n").slice(0, 2), [
      "mcp/fs/write_file: x",
      "mcp/fs/write_file: Keep changes made outside paddock to a",
    ]);
    work.judge();
  },
);

for (const style of STYLES) {
  Deno.test(
    withGit(
      `change does not wait for its own lock when a person saves (${style}) the file again that it holds locked`,
    ),
    async () => {
      using work = await newWorkspace();
      await work.put("a", "one\n");
      let plans = 0;
      const onStep = (step: string) => {
        if (step === "journal" && plans < 4) SAVE_STYLES[style](`${work.path}/a`, `person ${plans}\n`);
      };
      const request = { ...REQUEST, waitMs: 3000 };
      await openHistory(work.root, { onStep }).change(request, () => {
        plans++;
        const text = work.read("a");
        const steps: Step[] = [
          { kind: "put", path: work.at("a"), bytes: encode(`${text}+\n`), madeFrom: encode(text) },
        ];
        return { summary: "x", steps, value: null };
      });
      assertEquals([plans, work.read("a")], [4, "person 3\n+\n"]);
      work.judge();
    },
  );
}

Deno.test(
  withGit(
    "change does not wait for its own lock when it rolls back a file, or for that file's second name",
  ),
  async () => {
    using work = await newWorkspace();
    for (const name of ["a", "z"]) await work.put(name, "one\n");
    Deno.linkSync(`${work.path}/a`, `${work.path}/b`);
    let plans = 0;
    const onStep = (step: string) => {
      if (step !== "journal") return;
      if (plans < 3) SAVE_STYLES.inPlace(`${work.path}/${plans === 1 ? "a" : "z"}`, `${plans}ne\n`);
    };
    const request = { ...REQUEST, waitMs: 3000 };
    await openHistory(work.root, { onStep }).change(request, () => {
      plans++;
      const steps = ["a", "b", "z"].map((name): Step => {
        const text = work.read(name);
        return { kind: "put", path: work.at(name), bytes: encode(`${text}+\n`), madeFrom: encode(text) };
      });
      return { summary: "x", steps, value: null };
    });
    assertEquals([plans, ...["a", "b", "z"].map(work.read)], [3, "1ne\n+\n", "1ne\n+\n", "2ne\n+\n"]);
    work.judge();
  },
);

Deno.test(
  withGit("change puts back what a person saves into the file that it held locked and has just replaced"),
  async () => {
    using work = await newWorkspace();
    await work.put("a", "one\n");
    let plans = 0;
    using editor = Deno.openSync(`${work.path}/a`, { write: true });
    const onStep = (step: string) => {
      if (step === "journal" && plans === 1) SAVE_STYLES.inPlace(`${work.path}/a`, "two\n");
      if (step === "working tree" && plans === 2) editor.writeSync(encode("six\n"));
    };
    await openHistory(work.root, { onStep }).change(REQUEST, () => {
      plans++;
      const text = work.read("a");
      const steps: Step[] = [
        { kind: "put", path: work.at("a"), bytes: encode(`${text}+\n`), madeFrom: encode(text) },
      ];
      return { summary: "x", steps, value: null };
    });
    assertEquals([work.read("a"), work.git("show", "HEAD:a")], ["six\n", "two\n+\n"]);
  },
);

Deno.test(
  withGit("change puts back what a person saves into a large file that was just replaced, of the same size"),
  async () => {
    using work = await newWorkspace();
    const size = 1024 * 1024 + 1;
    await work.put("a", "1".repeat(size));
    Deno.utimeSync(`${work.path}/a`, 1_000_000, 1_000_000);
    using editor = Deno.openSync(`${work.path}/a`, { write: true });
    const onStep = (step: string) =>
      void (step === "working tree" && editor.writeSync(encode("2".repeat(size))));
    const steps: Step[] = [{ kind: "put", path: work.at("a"), bytes: encode("ours\n") }];
    await openHistory(work.root, { onStep }).change(REQUEST, () => ({ summary: "x", steps, value: null }));
    assertEquals([work.read("a") === "2".repeat(size), work.git("show", "HEAD:a")], [true, "ours\n"]);
  },
);
