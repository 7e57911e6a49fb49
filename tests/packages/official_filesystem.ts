// The official filesystem server, to be run: it serves the given directories over stdio.
import "npm:@modelcontextprotocol/server-filesystem@2026.8.31/dist/index.js";
