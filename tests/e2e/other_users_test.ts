/** Files of users that the server's own system does not know: in a container with its own users. */
import { assertEquals } from "@std/assert";
import { needs } from "../support/needs.ts";
import { serverCommand, TestServer } from "../support/server.ts";
import { tempFolder } from "../support/temp.ts";

Deno.test({
  ...needs("files of other users", "modes that bind this user")(
    "a file of a user that the container does not know can be written",
  ),
  fn: async () => {
    using folder = tempFolder();
    const theirs = folder.write("theirs.txt", "one\n");
    Deno.chmodSync(theirs, 0o666); // anybody may write to it
    Deno.chownSync(theirs, 1000, 1001);
    const root = folder.path.slice(folder.path.lastIndexOf("/") + 1);
    await using server = new TestServer([folder.path], { command: ["unshare", "-r", ...serverCommand([])] });
    await server.initialize();
    const { isError, text } = await server.call("write_file", { root, path: "theirs.txt", content: "two\n" });
    assertEquals([isError, isError ? text : "", folder.read("theirs.txt")], [false, "", "two\n"]);
  },
});
