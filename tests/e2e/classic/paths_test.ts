/** Every trick that absolute paths, `~` or several directories allow. */
import { assertEquals, assertMatch } from "@std/assert";
import { onUnix } from "../../support/needs.ts";
import { TestServer } from "../../support/server.ts";
import { tempFolder } from "../../support/temp.ts";

Deno.test(
  onUnix("paths with --classic: ~, several directories, links between them, and every way out"),
  async (t) => {
    using temp = tempFolder();
    for (
      const name of [
        "one/a.txt",
        "two/b.txt",
        "two/inner/c.txt",
        "one_evil/secret.txt",
        "real/d.txt",
        "secret.txt",
      ]
    ) {
      temp.write(name, `${name}\n`);
    }
    const at = (path: string) => `${temp.path}/${path}`;
    Deno.symlinkSync("real", at("alias"));
    Deno.symlinkSync(at("two"), at("one/to_two"));
    Deno.symlinkSync("../two/b.txt", at("one/to_b"));
    Deno.symlinkSync(at("one_evil"), at("one/to_evil"));
    Deno.symlinkSync("to_evil", at("one/chain"));
    Deno.symlinkSync("loop", at("one/loop"));
    const directories = ["one", "two", "two/inner", "alias"].map(at);
    await using server = new TestServer(["--classic", ...directories], { env: { HOME: temp.path } });
    await server.initialize();
    const read = async (path: string) => await server.call("read_text_file", { path });

    const READ: [path: string, content: string][] = [
      [at("one/a.txt"), "one/a.txt\n"],
      ["a.txt", "one/a.txt\n"],
      ["~/one/a.txt", "one/a.txt\n"],
      ["~/one/../two/b.txt", "two/b.txt\n"],
      ["../two/b.txt", "two/b.txt\n"], // from the first directory, into another
      [at("one//./../one/a.txt/"), "one/a.txt\n"],
      [at("two/inner/c.txt"), "two/inner/c.txt\n"],
      [at("alias/d.txt"), "real/d.txt\n"], // as the operator named it
      [at("real/d.txt"), "real/d.txt\n"],
      [at("one/to_two/b.txt"), "two/b.txt\n"], // from one directory into another
      ["to_b", "two/b.txt\n"],
      ["to_two/inner/c.txt", "two/inner/c.txt\n"],
    ];
    for (const [path, content] of READ) {
      await t.step(`read ${path.replace(temp.path, "")}`, async () => {
        assertEquals(await read(path), { text: content, isError: false, value: { content } });
      });
    }

    const REFUSED = [
      "secret.txt",
      "one_evil/secret.txt",
      "one/../secret.txt",
      "one/../one_evil/secret.txt",
      "one/to_evil/secret.txt",
      "one/chain/secret.txt",
      "one/to_two/../../secret.txt",
      "one/loop",
      "one/loop/a",
      "ONE/a.txt",
      "one\0/../secret.txt",
      "one/a.txt\0",
    ].map(at).concat(
      "/",
      "/etc/passwd",
      "~",
      "~/secret.txt",
      "~/../..",
      "~root/.bashrc",
      "~+/a.txt",
      "../../secret.txt",
    )
      .concat(
        "../../../../../../../../etc/passwd",
        `file://${at("one/a.txt")}`,
        ` ${at("one/a.txt")}`,
        "C:\\a",
        "\\\\host\\a",
      )
      .concat(
        `//${temp.path}/../../../../../../etc/passwd`,
        "/proc/self/environ",
        "/dev/stdin",
        "one/%2e%2e/secret.txt",
      );
    for (const path of REFUSED) {
      await t.step(`refuse ${JSON.stringify(path.replace(temp.path, ""))}`, async () => {
        const { text, isError } = await read(path);
        assertEquals(
          [isError, text.includes("secret.txt\n"), text.includes("root:")],
          [true, false, false],
          text,
        );
        for (
          const [tool, args] of [
            ["write_file", { path, content: "OVERWRITTEN" }],
            ["edit_file", { path, edits: [{ oldText: "secret", newText: "OVERWRITTEN" }] }],
            ["move_file", { source: "a.txt", destination: path }],
            ["move_file", { source: path, destination: "stolen.txt" }],
            ["list_directory", { path }],
            ["search_files", { path, pattern: "**" }],
            ["get_file_info", { path }],
          ] as const
        ) {
          if (/^(~root|~\+|file:| |\\\\|one\/%)/.test(path)) continue; // plain names in the first directory
          const answer = await server.call(tool, args);
          const isLinkItself = tool === "move_file" && path.endsWith("/loop");
          if (!isLinkItself) assertEquals(answer.isError, true, `${tool}: ${answer.text}`);
        }
      });
    }
    assertEquals([temp.read("secret.txt"), temp.read("one_evil/secret.txt")], [
      "secret.txt\n",
      "one_evil/secret.txt\n",
    ]);
    assertMatch(
      (await read(at("one/to_evil/secret.txt"))).text,
      /^Access denied - symlink target outside allowed directories/,
    );
    assertEquals(
      (await server.call("list_allowed_directories")).text,
      `Allowed directories:\n${[...directories, at("real")].join("\n")}`,
    );
  },
);
