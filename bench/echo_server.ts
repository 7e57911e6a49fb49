// The least that an HTTP server in Deno can do for a call: parse the request and answer with JSON as long as a real
// answer. Whatever a server takes beyond this is its own cost.

const [port = "", text = ""] = Deno.args;

Deno.serve({ hostname: "127.0.0.1", port: Number(port), onListen: () => {} }, async (request) => {
  if (request.method === "GET") return new Response("ok");
  const { id } = await request.json();
  const structuredContent = {
    content: text,
    encoding: "utf-8",
    size: text.length,
    binary: false,
    truncated: false,
    start_line: 1,
    end_line: 16,
    lines_total: 16,
  };
  return Response.json({
    result: { content: [{ type: "text", text }], structuredContent },
    jsonrpc: "2.0",
    id,
  });
});
