export { default } from "npm:axe-core@4.14.0";
