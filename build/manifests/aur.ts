/** The package for the Arch User Repository: PKGBUILD, and .SRCINFO, which says the same for programs. */
import { NAME, REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { DESCRIPTION, downloadUrl, LICENSE } from "../project.ts";
import type { Target } from "../targets.ts";
import { archiveOf, type Sums } from "./sums.ts";

const PACKAGE = `${NAME}-bin`;

const ARCHITECTURES = {
  x86_64: "x86_64-unknown-linux-gnu",
  aarch64: "aarch64-unknown-linux-gnu",
} as const satisfies Record<string, Target>;

/** Versions in npm may contain a hyphen, those in pacman may not. */
const PKGVER = VERSION.replaceAll("-", "_");

export function pkgbuild(sums: Sums): string {
  const sources = Object.entries(ARCHITECTURES).map(([arch, target]) => {
    const { file, sha256 } = archiveOf(target, sums);
    return `source_${arch}=("${downloadUrl(file)}")\nsha256sums_${arch}=('${sha256}')`;
  });
  const { folder } = archiveOf("x86_64-unknown-linux-gnu", sums);
  return `# shellcheck shell=bash disable=SC2034,SC2154
pkgname=${PACKAGE}
pkgver=${PKGVER}
pkgrel=1
pkgdesc='${DESCRIPTION}'
arch=('x86_64' 'aarch64')
url='${REPOSITORY_URL}'
license=('${LICENSE}')
depends=('gcc-libs' 'glibc')
provides=('${NAME}')
conflicts=('${NAME}')
options=('!strip' '!debug') # the program is behind the runtime, where strip would cut it off
${sources.join("\n")}

package() {
  cd "$srcdir/${folder.replace("x86_64", "$CARCH")}" || return
  install -Dm755 ${NAME} "$pkgdir/usr/bin/${NAME}"
  install -Dm644 LICENSE "$pkgdir/usr/share/licenses/$pkgname/LICENSE"
  install -d "$pkgdir/usr/share/bash-completion/completions" "$pkgdir/usr/share/zsh/site-functions" \\
    "$pkgdir/usr/share/fish/vendor_completions.d" "$pkgdir/usr/share/man/man1"
  ./${NAME} completions bash > "$pkgdir/usr/share/bash-completion/completions/${NAME}"
  ./${NAME} completions zsh > "$pkgdir/usr/share/zsh/site-functions/_${NAME}"
  ./${NAME} completions fish > "$pkgdir/usr/share/fish/vendor_completions.d/${NAME}.fish"
  ./${NAME} man > "$pkgdir/usr/share/man/man1/${NAME}.1"
}
`;
}

export function srcinfo(sums: Sums): string {
  const sources = Object.entries(ARCHITECTURES).flatMap(([arch, target]) => {
    const { file, sha256 } = archiveOf(target, sums);
    return [`source_${arch} = ${downloadUrl(file)}`, `sha256sums_${arch} = ${sha256}`];
  });
  const lines = [
    `pkgdesc = ${DESCRIPTION}`,
    `pkgver = ${PKGVER}`,
    "pkgrel = 1",
    `url = ${REPOSITORY_URL}`,
    ...Object.keys(ARCHITECTURES).map((arch) => `arch = ${arch}`),
    `license = ${LICENSE}`,
    "depends = gcc-libs",
    "depends = glibc",
    `provides = ${NAME}`,
    `conflicts = ${NAME}`,
    "options = !strip",
    "options = !debug",
    ...sources,
  ];
  return `pkgbase = ${PACKAGE}\n${lines.map((line) => `\t${line}\n`).join("")}\npkgname = ${PACKAGE}\n`;
}
