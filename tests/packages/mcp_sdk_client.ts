export { Client } from "npm:@modelcontextprotocol/sdk@1.32.2/client/index.js";
