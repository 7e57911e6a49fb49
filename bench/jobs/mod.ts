// Ten everyday jobs, each as a fixed script for either server: the calls of an agent that knows its tools and uses
// only what the answers say. The files afterwards show whether the job was done.

import type { Agent } from "./agent.ts";
import { LOG_ERROR } from "./project.ts";

/** The files of the project afterwards. */
export type Read = (path: string) => string;

export interface Job {
  readonly what: string;
  paddock(agent: Agent, root: string): Promise<unknown>;
  /** `at` makes the absolute path that the official server expects. */
  official(agent: Agent, at: (path: string) => string): Promise<unknown>;
  /** "" if the files are as they should be, otherwise what is wrong with them. */
  damage?(read: Read): string;
}

const CALLERS = [
  "orders/module-3",
  "orders/module-11",
  "orders/module-19",
  "orders/module-27",
  "orders/module-35",
]
  .map((name) => `src/${name}.ts`);
const DEFINED = "src/cart/module-0.ts";
const MODULES = Array.from(
  { length: 40 },
  (_, i) => `src/${["cart", "items", "users", "orders"][i % 4]}/module-${i}.ts`,
);

/** The answer must contain what the job is about: a script that ignored it would prove nothing. */
function expect(text: string, ...parts: readonly string[]): void {
  for (const part of parts) {
    if (!text.includes(part)) throw new Error(`the answer lacks ${part}: ${text.slice(0, 500)}`);
  }
}

export const JOBS: readonly Job[] = [
  {
    what: "Get an overview of a project of 100 files",
    paddock: async (agent, root) => {
      await agent.call("list_roots", {});
      const { text } = await agent.call("glob", {
        root,
        pattern: "**",
        respect_gitignore: true,
        max_results: 1000,
      });
      expect(text, "module-39.ts", "app.log");
      await agent.call("read_file", { root, path: "README.md" });
    },
    official: async (agent, at) => {
      await agent.call("list_allowed_directories", {});
      const { text } = await agent.call("directory_tree", {
        path: at("."),
        excludePatterns: ["node_modules"],
      });
      expect(text, "module-39.ts", "app.log");
      await agent.call("read_text_file", { path: at("README.md") });
    },
  },
  {
    what: "Find where a function is defined",
    paddock: async (agent, root) => {
      const { text } = await agent.call("grep", { root, pattern: "function parseConfig", context_lines: 3 });
      expect(text, "JSON.parse");
    },
    official: async (agent, at) => {
      await agent.call("search_files", { path: at("."), pattern: "**/*config*" });
      const paths = [at("src/config.ts"), at("src/config_defaults.ts")];
      expect((await agent.call("read_multiple_files", { paths })).text, "JSON.parse");
    },
  },
  {
    what: "Rename a function that six files use",
    paddock: async (agent, root) => {
      const { text } = await agent.call("grep", { root, pattern: "\\bcomputeTotal\\b", glob_filter: "*.ts" });
      expect(text, DEFINED, ...CALLERS);
      const edits = [{ old_text: "computeTotal", new_text: "sumOf", replace_all: true }];
      const changes = [DEFINED, ...CALLERS].map((path) => ({ op: "edit", path, edits }));
      await agent.call("apply_changes", { root, changes });
    },
    official: async (agent, at) => {
      const { text } = await agent.call("read_multiple_files", { paths: MODULES.map(at) });
      expect(text, "computeTotal");
      await agent.call("edit_file", {
        path: at(DEFINED),
        edits: [{ oldText: "function computeTotal(", newText: "function sumOf(" }],
      });
      const edits = [
        { oldText: "const first = computeTotal(", newText: "const first = sumOf(" },
        { oldText: "return computeTotal(", newText: "return sumOf(" },
      ];
      for (const path of CALLERS) await agent.call("edit_file", { path: at(path), edits });
    },
    damage: (read) => {
      const left = [DEFINED, ...CALLERS].filter((path) => read(path).includes("computeTotal"));
      return left.length === 0 ? "" : `${left.length} files still have the old name`;
    },
  },
  {
    what: "Change a value in a file with CRLF",
    paddock: async (agent, root) => {
      const path = "conf/server.ini";
      await agent.call("read_file", { root, path });
      await agent.call("edit_file", {
        root,
        path,
        edits: [{ old_text: "port = 8080", new_text: "port = 9090" }],
      });
    },
    official: async (agent, at) => {
      const path = at("conf/server.ini");
      await agent.call("read_text_file", { path });
      await agent.call("edit_file", { path, edits: [{ oldText: "port = 8080", newText: "port = 9090" }] });
    },
    damage: (read) => {
      const text = read("conf/server.ini");
      if (!text.includes("port = 9090")) return "the value is not changed";
      return text.split("\r\n").length === 4 ? "" : "CRLF became LF";
    },
  },
  {
    what: "Find the error in a log of 4 MB",
    paddock: async (agent, root) => {
      const args = { root, path: "logs/app.log", pattern: "ERROR|FATAL", context_lines: 3 };
      expect((await agent.call("grep", args)).text, LOG_ERROR);
    },
    official: async (agent, at) => {
      const path = at("logs/app.log");
      await agent.call("read_text_file", { path, tail: 100 });
      expect((await agent.call("read_text_file", { path, tail: 1000 })).text, LOG_ERROR);
    },
  },
  {
    what: "An edit from memory with one wrong word",
    paddock: async (agent, root) => {
      const path = "src/config.ts";
      const edit = (old_text: string) =>
        agent.call("edit_file", { root, path, edits: [{ old_text, new_text: "\treturn parse(text);" }] });
      const { text } = await edit("\treturn JSON.parse(input);");
      expect(text, "\treturn JSON.parse(text);");
      await edit("\treturn JSON.parse(text);");
    },
    official: async (agent, at) => {
      const path = at("src/config.ts");
      const edit = (oldText: string) =>
        agent.call("edit_file", { path, edits: [{ oldText, newText: "\treturn parse(text);" }] });
      const line = "\treturn JSON.parse(text);";
      const { text } = await edit("\treturn JSON.parse(input);");
      if (!text.includes(line)) expect((await agent.call("read_text_file", { path })).text, line);
      await edit("\treturn JSON.parse(text);");
    },
    damage: (read) =>
      read("src/config.ts").includes("\treturn parse(text);") ? "" : "the line is not changed",
  },
  {
    what: "An edit of the second of two equal lines",
    paddock: async (agent, root) => {
      const path = "conf/pools.ini";
      const edit = { old_text: "size = 10", new_text: "size = 20" };
      const { text } = await agent.call("edit_file", { root, path, edits: [edit] });
      expect(text, "2:size = 10", "6:size = 10");
      await agent.call("edit_file", { root, path, edits: [{ ...edit, near_line: 6 }] });
    },
    official: async (agent, at) => {
      const path = at("conf/pools.ini");
      const edit = (oldText: string, newText: string) =>
        agent.call("edit_file", { path, edits: [{ oldText, newText }] });
      const { isError, text } = await edit("size = 10", "size = 20");
      if (!isError) return; // it has changed one of them
      expect(text, "2:size = 10", "6:size = 10");
      expect((await agent.call("read_text_file", { path })).text, "[write]\nsize = 10");
      await edit("[write]\nsize = 10", "[write]\nsize = 20");
    },
    damage: (read) =>
      read("conf/pools.ini").includes("[read]\nsize = 10") &&
        read("conf/pools.ini").includes("[write]\nsize = 20")
        ? ""
        : "the first was changed",
  },
  {
    what: "Ten edits of one file, sent at once",
    paddock: (agent, root) =>
      Promise.all(Array.from({ length: 10 }, (_, i) => {
        const edits = [{ old_text: `flag ${i} off`, new_text: `flag ${i} on` }];
        return agent.call("edit_file", { root, path: "conf/flags.txt", edits });
      })),
    official: (agent, at) =>
      Promise.all(Array.from({ length: 10 }, (_, i) => {
        const edits = [{ oldText: `flag ${i} off`, newText: `flag ${i} on` }];
        return agent.call("edit_file", { path: at("conf/flags.txt"), edits });
      })),
    damage: (read) => {
      const lost = read("conf/flags.txt").split(" off\n").length - 1;
      return lost === 0 ? "" : `${lost} of 10 edits are lost`;
    },
  },
  {
    what: "Read 40 lines in the middle of 2,000",
    paddock: async (agent, root) => {
      const args = { root, path: "src/long.ts", offset_lines: 900, limit_lines: 40 };
      expect((await agent.call("read_file", args)).text, "constant920");
    },
    official: async (agent, at) => {
      const { text } = await agent.call("read_text_file", { path: at("src/long.ts"), head: 940 });
      expect(text, "constant920");
    },
  },
  {
    what: "Add a line to a file of 24 KB",
    paddock: (agent, root) =>
      agent.call("write_file", { root, path: "CHANGELOG.md", content: "- New.\n", mode: "append" }),
    official: async (agent, at) => {
      const path = at("CHANGELOG.md");
      const last = "- Something was made better, and is told here at some length.";
      const { text } = await agent.call("read_text_file", { path });
      expect(text, last);
      await agent.call("write_file", { path, content: `${text}- New.\n` });
    },
    damage: (read) =>
      read("CHANGELOG.md").endsWith("at some length.\n- New.\n") ? "" : "the line is not there",
  },
];
