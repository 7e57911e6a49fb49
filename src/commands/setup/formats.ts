/** The formats of clients' configuration files; each is loaded when needed. */
import type { Client } from "./clients.ts";
import type { Addition, Merged } from "./merge.ts";

export interface ConfigFormat {
  /** What a person would add to the file. */
  show(wanted: Addition): string;
  merge(before: string, wanted: Addition): Merged;
  remove(before: string, wanted: Omit<Addition, "entry">): Merged;
}

export async function formatOf({ format }: Client): Promise<ConfigFormat> {
  switch (format) {
    case "toml": {
      const { mergeToml, removeToml, showToml } = await import("./toml.ts");
      return { show: showToml, merge: mergeToml, remove: removeToml };
    }
    case "yaml": {
      const { mergeYaml, removeYaml, showYaml } = await import("./yaml.ts");
      return { show: showYaml, merge: mergeYaml, remove: removeYaml };
    }
    default: {
      const { mergeServer } = await import("./merge.ts");
      const { removeServer } = await import("./remove.ts");
      const show = ({ key, name, entry }: Addition) => JSON.stringify({ [key]: { [name]: entry } }, null, 2);
      return { show, merge: mergeServer, remove: removeServer };
    }
  }
}
