import { assertEquals } from "@std/assert";
import { hrefOf, NO_FILTERS, parseRoute, type Route, timeline } from "../../../console/model/route.ts";

const ROUTES: Route[] = [
  timeline(),
  timeline({ ...NO_FILTERS, sources: ["root:a b", "workspace:é"], path: "src/&?#%", since: "24h" }),
  timeline({ ...NO_FILTERS, client: "<script>", tool: "write_file" }, { source: "root:a", id: "6a6n" }),
  { view: "file", source: "root:a", path: "../x y\n.ts", version: null },
  { view: "file", source: "root:a", path: "x", version: "6a6n" },
  { view: "overview" },
  { view: "sources" },
];

Deno.test("parseRoute returns what hrefOf wrote, whatever the names", () => {
  for (const route of ROUTES) assertEquals(parseRoute(new URL(hrefOf(route), "http://h").search), route);
  assertEquals(hrefOf(timeline()), "/console");
});

Deno.test("parseRoute shows the timeline for unknown routes", () => {
  for (const search of ["?view=nothing", "?view=file", "?change=6a6n", "?token=abc", "?%"]) {
    assertEquals(parseRoute(search), timeline(), search);
  }
});
