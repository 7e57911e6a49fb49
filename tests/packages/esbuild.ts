export { build, type Plugin, stop, transform } from "npm:esbuild@0.28.2";
