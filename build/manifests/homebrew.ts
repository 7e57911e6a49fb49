/** The formula for Homebrew, for a tap: `brew install OWNER/tap/paddock`. */
import { REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { DESCRIPTION, downloadUrl, LICENSE } from "../project.ts";
import type { Target } from "../targets.ts";
import { archiveOf, type Sums } from "./sums.ts";

export function homebrewFormula(sums: Sums): string {
  const source = (target: Target) => {
    const { file, sha256 } = archiveOf(target, sums);
    return `url "${downloadUrl(file)}"\n      sha256 "${sha256}"`;
  };
  return `class Paddock < Formula
  desc "${DESCRIPTION}"
  homepage "${REPOSITORY_URL}"
  version "${VERSION}"
  license "${LICENSE}"

  on_macos do
    on_arm do
      ${source("aarch64-apple-darwin")}
    end
    on_intel do
      ${source("x86_64-apple-darwin")}
    end
  end

  on_linux do
    on_arm do
      ${source("aarch64-unknown-linux-gnu")}
    end
    on_intel do
      ${source("x86_64-unknown-linux-gnu")}
    end
  end

  def install
    bin.install "paddock"
    generate_completions_from_executable(bin/"paddock", "completions")
    (man1/"paddock.1").write Utils.safe_popen_read(bin/"paddock", "man")
  end

  test do
    assert_equal "paddock #{version}\\n", shell_output("#{bin}/paddock --version")
    assert_match "does not exist", shell_output("#{bin}/paddock #{testpath}/missing 2>&1", 1)
  end
end
`;
}
