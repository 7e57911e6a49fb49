export { build, type Plugin, stop } from "npm:esbuild@0.28.2";
