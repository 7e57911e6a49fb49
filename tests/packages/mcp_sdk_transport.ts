export { type Transport } from "npm:@modelcontextprotocol/sdk@1.32.2/shared/transport.js";
