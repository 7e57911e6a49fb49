export { SSEClientTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/client/sse.js";
