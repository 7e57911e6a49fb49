export { GoogleGenAI } from "npm:@google/genai@2.32.0";
