import { assert, assertEquals } from "@std/assert";
import { serveOnConnection } from "../../../src/transports/http/runtime_http.ts";

Deno.test("serveOnConnection fails silently when a connection is ended that has already ended", async () => {
  const serve = serveOnConnection();
  assert(serve !== undefined);
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const client = await Deno.connect({ hostname: "127.0.0.1", port });
  const controller = new AbortController();
  const served = serve(await listener.accept() as Deno.TcpConn, {
    signal: controller.signal,
    handler: () => new Response("hello"),
    onError: () => new Response("no", { status: 500 }),
  });
  await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"));
  const buffer = new Uint8Array(1024);
  const answer = new TextDecoder().decode(buffer.subarray(0, await client.read(buffer) ?? 0));
  assertEquals(answer.split("\r\n")[0], "HTTP/1.1 200 OK");
  client.close();
  await served.finished;
  const errors: string[] = [];
  const note = (event: ErrorEvent) => {
    event.preventDefault();
    errors.push(event.message);
  };
  globalThis.addEventListener("error", note);
  try {
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 0));
  } finally {
    globalThis.removeEventListener("error", note);
  }
  assertEquals(errors, []);
});
