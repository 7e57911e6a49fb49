export { loadPrism } from "npm:@ruby/prism@1.9.0";
