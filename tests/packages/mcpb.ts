export * from "npm:@anthropic-ai/mcpb@2.1.2";
