export * from "npm:minimatch@10.2.6";
