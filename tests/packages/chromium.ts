export { default } from "npm:@sparticuz/chromium@153.0.0";
