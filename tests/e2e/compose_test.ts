/** config/compose.example.yaml as written: its command, with the files that a container has elsewhere. */
import { assert, assertEquals } from "@std/assert";
import { parse } from "yaml";
import { HttpServer } from "../support/http_server.ts";
import { initializeMessage, rawExchange } from "../support/http_client.ts";
import { REPOSITORY } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

interface Service {
  command: string[];
  ports: string[];
  volumes: string[];
}

const COMPOSE = parse(Deno.readTextFileSync(`${REPOSITORY}config/compose.example.yaml`)) as {
  services: Record<string, Service>;
};

Deno.test("the composed server answers under its name in other containers, and under no foreign name", async () => {
  using folder = tempFolder();
  folder.write("data/a.txt", "a");
  const [[name, { command, ports, volumes }] = ["", { command: [], ports: [], volumes: [] }]] = Object
    .entries(
      COMPOSE.services,
    );
  const token = folder.write("token", `${"0123456789abcdef".repeat(4)}\n`);
  const config = folder.write(
    "paddock.yaml",
    `roots:\n  - { name: data, path: ${folder.path}/data, allowed_tools: ["*"] }\n`,
  );
  assert(volumes.includes("./paddock.yaml:/etc/paddock/paddock.yaml:ro"));
  const args = command.map((arg) =>
    arg.replace("/etc/paddock/paddock.yaml", config).replace("/run/secrets/token", token)
  );
  await using server = await HttpServer.start(args);
  const port = ports[0]?.split(":").at(-1) ?? "";
  const body = JSON.stringify(initializeMessage());
  const ask = async (host: string) => {
    const head = [
      "POST /mcp HTTP/1.1",
      `host: ${host}`,
      `authorization: Bearer ${"0123456789abcdef".repeat(4)}`,
      "content-type: application/json",
      "accept: application/json, text/event-stream",
      `content-length: ${body.length}`,
      "connection: close",
    ];
    const answer = await rawExchange(server.port, `${head.join("\r\n")}\r\n\r\n${body}`);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };
  assertEquals(await ask(`${name}:${port}`), 200);
  assertEquals(await ask(`127.0.0.1:${port}`), 200);
  assertEquals(await ask(`evil.example:${port}`), 403);
});
