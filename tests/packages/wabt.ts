export { default } from "npm:wabt@1.0.39";
