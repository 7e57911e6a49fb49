// The official filesystem server, to be run: it serves the directories that it is given over stdio.
import "npm:@modelcontextprotocol/server-filesystem@2026.8.31/dist/index.js";
