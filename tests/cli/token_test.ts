import { assertEquals, assertNotMatch, assertStringIncludes } from "@std/assert";
import { tokenFromEnv, tokenFromFile } from "../../src/cli/token.ts";
import { NUL, withTempDir } from "./support.ts";

const GOOD = "0123456789abcdef";

Deno.test("tokenFromFile trims one line break and no more", () =>
  withTempDir((dir) => {
    const cases: [content: string, expected: string][] = [
      [GOOD, GOOD],
      [`${GOOD}\n`, GOOD],
      [`${GOOD}\r\n`, GOOD],
      ['~!@#$%^&*()_+{}|:"<>?\n', '~!@#$%^&*()_+{}|:"<>?'],
      ["x".repeat(4096) + "\r\n", "x".repeat(4096)],
    ];
    for (const [content, value] of cases) {
      Deno.writeTextFileSync(`${dir}/token`, content);
      assertEquals(tokenFromFile(`${dir}/token`, "--auth-token-file"), { value });
    }
  }));

Deno.test("tokenFromFile refuses a bad token without showing it", () =>
  withTempDir((dir) => {
    const cases: [content: string, problem: string][] = [
      ["", "whose content is empty"],
      ["\n", "whose content is empty"],
      ["s3cr3t", "whose content is only 6 characters long"],
      [`s3cr3t ${GOOD}`, "whose content has a space or a character that is not printable ASCII"],
      [`s3cr3t${GOOD}\n\n`, "whose content has a space or a character that is not printable ASCII"],
      [`s3cr3té${GOOD}`, "whose content has a space or a character that is not printable ASCII"],
      ["s3cr3t".repeat(1000), "which is larger than 4098 bytes"],
    ];
    for (const [content, problem] of cases) {
      Deno.writeTextFileSync(`${dir}/token`, content);
      const checked = tokenFromFile(`${dir}/token`, "--auth-token-file");
      const reason = "reason" in checked ? checked.reason : "accepted";
      assertStringIncludes(reason, `--auth-token-file names "${dir}/token", ${problem}; it must`);
      assertStringIncludes(reason, "16 to 4096 printable ASCII characters without spaces; example: ");
      assertNotMatch(reason, /s3cr3t/);
    }
  }));

Deno.test("tokenFromFile says why the file cannot be read", () =>
  withTempDir((dir) => {
    Deno.writeFileSync(`${dir}/latin1`, new Uint8Array([0xe9, 0xe8]));
    const cases: [path: string, problem: string][] = [
      [`${dir}/none`, "which does not exist;"],
      [dir, "which is a directory;"],
      [`${dir}/latin1`, "which is not UTF-8 text;"],
      [`${dir}/a\0b`, `which cannot be read: ${NUL};`],
    ];
    for (const [path, problem] of cases) {
      const checked = tokenFromFile(path, "auth_token_file");
      assertStringIncludes("reason" in checked ? checked.reason : "accepted", problem);
    }
  }));

Deno.test("tokenFromEnv refuses an empty or short token without showing it", () => {
  assertEquals(tokenFromEnv(GOOD), { value: GOOD });
  for (const [token, problem] of [["", "is empty"], ["s3cr3t", "is only 6 characters long"]] as const) {
    const checked = tokenFromEnv(token);
    const reason = "reason" in checked ? checked.reason : "accepted";
    assertStringIncludes(reason, `the environment variable PADDOCK_TOKEN ${problem}; it must be`);
    assertNotMatch(reason, /s3cr3t/);
  }
});
