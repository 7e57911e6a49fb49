import { assertEquals, assertThrows } from "@std/assert";
import { PaddockError } from "../../src/base/errors.ts";
import { MOST_OF_ALL, MOST_OF_ONE, type Notice, Notices } from "../../src/server/notices.ts";
import { pause } from "../support/http_server.ts";

function member(notices: Notices) {
  const heard: string[] = [];
  const tell = (notice: Notice) => void heard.push("params" in notice ? notice.params.uri : notice.method);
  return { heard, member: notices.join(tell) };
}

const SOON = 60;

Deno.test("Notices.changed notifies subscribers, once for many changes, and nobody else", async () => {
  const notices = new Notices();
  const [a, b] = [member(notices), member(notices)];
  a.member.subscribe("u:a", ["/r/a.txt"]);
  b.member.subscribe("u:b", ["/r/b.txt"]);
  for (let i = 0; i < 100; i++) notices.changed("/r/a.txt");
  notices.changed("/r/a.txt.other");
  await pause(SOON);
  assertEquals([a.heard, b.heard], [["u:a"], []]);
});

Deno.test("Notices.changed reports a file by each of its places, and a change of a folder above it", async () => {
  const notices = new Notices();
  const { heard, member: one } = member(notices);
  one.subscribe("u:link", ["/r/link", "/r/deep/er/target"]);
  notices.changed("/r/link");
  await pause(SOON);
  notices.changed("/r/deep");
  await pause(SOON);
  notices.changed("/r/dee");
  notices.changed("/r/deep/er/target/below");
  await pause(SOON);
  assertEquals(heard, ["u:link", "u:link"]);
});

Deno.test("Member.unsubscribe and leave end notifications, even for what has just been changed", async () => {
  const notices = new Notices();
  const [a, b] = [member(notices), member(notices)];
  for (const { member } of [a, b]) member.subscribe("u:a", ["/r/a.txt"]);
  notices.changed("/r/a.txt");
  a.member.unsubscribe("u:a");
  b.member.leave();
  await pause(SOON);
  notices.changed("/r/a.txt");
  notices.tellAll({ method: "notifications/tools/list_changed" });
  await pause(SOON);
  assertEquals([a.heard, b.heard], [["notifications/tools/list_changed"], []]);
});

Deno.test("Member.subscribe refuses more than one member may have, and more than all may have", () => {
  const notices = new Notices();
  const fill = (count: number) => {
    const { member: one } = member(notices);
    for (let i = 0; i < count; i++) one.subscribe(`u:${i}`, [`/r/${i}`]);
    return one;
  };
  const full = fill(MOST_OF_ONE);
  full.subscribe("u:0", ["/r/0"]); // it already has that
  assertThrows(() => full.subscribe("u:more", ["/r/more"]), PaddockError, "at most 1000");
  for (let i = 1; i < MOST_OF_ALL / MOST_OF_ONE; i++) fill(MOST_OF_ONE);
  const { member: late } = member(notices);
  assertThrows(() => late.subscribe("u:late", ["/r/late"]), PaddockError, "20000 subscriptions");
  full.leave();
  late.subscribe("u:late", ["/r/late"]);
});

Deno.test("Notices.recheck drops what may no longer be read, and follows what has moved", async () => {
  const notices = new Notices();
  const { heard, member: one } = member(notices);
  one.subscribe("u:gone", ["/r/gone"]);
  one.subscribe("u:moved", ["/r/before"]);
  await notices.recheck((uri) => Promise.resolve(uri === "u:gone" ? undefined : ["/r/after"]));
  for (const place of ["/r/gone", "/r/before", "/r/after"]) notices.changed(place);
  await pause(SOON);
  assertEquals([heard, one.uris], [["u:moved"], ["u:moved"]]);
});
