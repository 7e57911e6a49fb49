/** The API as OpenAPI 3.1, made from the schemas that requests are checked against. */
import { z } from "zod";
import { VERSION } from "../base/version.ts";
import { ANSWERS, EVENTS, REQUESTS } from "./schemas.ts";

type Json = Record<string, unknown>;
type AnswerName = keyof typeof ANSWERS;

interface Operation {
  readonly method: "get" | "post";
  readonly path: string;
  readonly summary: string;
  readonly asks: keyof typeof REQUESTS;
  /** The media type of answers that are not JSON. */
  readonly answers: AnswerName | "text/event-stream" | "image/*" | "application/json";
}

export const OPERATIONS: readonly Operation[] = [
  get("session", "Whether the session is valid, and until when", ["nothing", "Session"]),
  get("sources", "The roots and workspaces", ["nothing", "Sources"]),
  get("changes", "Changes of all or some sources, newest first", ["changes", "ChangePage"]),
  get("change", "One change with its files and their diffs", ["change", "ChangeDetails"]),
  get("diff", "One file of a change, with a higher limit", ["diff", "FileDiff"]),
  get("file", "The versions of one file", ["file", "FileHistory"]),
  get("compare", "What differs between two commits of a workspace", ["compare", "Comparison"]),
  get("content", "The bytes of an image", ["content", "image/*"]),
  get("facets", "All clients and tools", ["nothing", "Facets"]),
  get("overview", "Who is connected, and figures", ["nothing", "Overview"]),
  get("calls", "The last calls of the server", ["calls", "CallPage"]),
  get("events", "Events as they happen", ["nothing", "text/event-stream"]),
  get("openapi.json", "This description", ["nothing", "application/json"]),
  post("undo/preview", "What undoing changes would do", ["undoPreview", "Preview"]),
  post("undo", "Does what the preview showed", ["undo", "Done"]),
  post("restore/preview", "What restoring a path would do", ["restorePreview", "Preview"]),
  post("restore", "Does what the preview showed", ["restore", "Done"]),
  post("session/end", "Ends the session", ["nothing", "Ended"]),
];

export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    paths[`/console/api/${operation.path}`] = { [operation.method]: described(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "paddock console",
      version: VERSION,
      description:
        "What agents changed, and how to undo it. Every call needs the cookie of a session; the page at " +
        "/console?token=… gets one for the token that paddock prints.",
    },
    paths,
    components: {
      schemas: {
        ...mapped(ANSWERS, (schema) => jsonSchema(schema, "output")),
        ...Object.fromEntries(
          Object.entries(EVENTS).map(([name, schema]) => [`Event_${name}`, jsonSchema(schema, "output")]),
        ),
      },
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "paddock_console" } },
    },
    security: [{ session: [] }],
  };
}

function get(
  path: string,
  summary: string,
  [asks, answers]: [Operation["asks"], Operation["answers"]],
): Operation {
  return { method: "get", path, summary, asks, answers };
}

function post(
  path: string,
  summary: string,
  [asks, answers]: [Operation["asks"], Operation["answers"]],
): Operation {
  return { method: "post", path, summary, asks, answers };
}

function described({ method, path, summary, asks, answers }: Operation): Json {
  const request = jsonSchema(REQUESTS[asks], "input");
  const isAnswer = (name: string): name is AnswerName => name in ANSWERS;
  const content = isAnswer(answers)
    ? { "application/json": { schema: reference(answers) } }
    : { [answers]: answers === "text/event-stream" ? { schema: { type: "string" }, ...eventsNoted() } : {} };
  return {
    operationId: path.replace(/\W+(\w)/g, (_, first: string) => first.toUpperCase()),
    summary,
    ...(method === "get"
      ? { parameters: parametersOf(request) }
      : { requestBody: { required: true, content: { "application/json": { schema: request } } } }),
    responses: {
      200: { description: summary, content },
      default: {
        description: "Nothing was changed; the answer says why.",
        content: { "application/json": { schema: reference("Failure") } },
      },
    },
  };
}

/** OpenAPI cannot describe the events of a stream, so they are listed for people. */
function eventsNoted(): Json {
  const events = mapped(EVENTS, () => ({}));
  return { "x-events": mapped(events, (_, name) => ({ $ref: `#/components/schemas/Event_${name}` })) };
}

function parametersOf({ properties, required }: Json): Json[] {
  const names = new Set(required as string[] | undefined);
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(names.has(name) && { required: true }),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function reference(name: AnswerName): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: part }) => {
      if (part.maximum === Number.MAX_SAFE_INTEGER) delete part.maximum;
      delete part.pattern;
    },
  });
  return rest;
}

function mapped<T, R>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
