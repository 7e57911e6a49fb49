export { mcpToFunctionTool } from "npm:@openai/agents-core@0.20.0";
