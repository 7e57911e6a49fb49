/** The three YAML files that winget requires for a version, by name. */
import { stringify } from "yaml";
import { NAME, REPOSITORY_URL, VERSION } from "../../src/base/version.ts";
import { DESCRIPTION, downloadUrl, LICENSE } from "../project.ts";
import type { Target } from "../targets.ts";
import { archiveOf, type Sums } from "./sums.ts";

const IDENTIFIER = "Paddock.Paddock";
const MANIFEST_VERSION = "1.10.0";
const LOCALE = "en-US";

const ARCHITECTURES = {
  x64: "x86_64-pc-windows-msvc",
  arm64: "aarch64-pc-windows-msvc",
} as const satisfies Record<string, Target>;

export function wingetManifests(sums: Sums): Record<string, string> {
  const common = { PackageIdentifier: IDENTIFIER, PackageVersion: VERSION };
  const version = { DefaultLocale: LOCALE, ManifestType: "version" };
  const installer = {
    InstallerType: "zip",
    NestedInstallerType: "portable",
    Commands: [NAME],
    Installers: Object.entries(ARCHITECTURES).map(([Architecture, target]) => {
      const { file, folder, sha256 } = archiveOf(target, sums);
      return {
        Architecture,
        InstallerUrl: downloadUrl(file),
        InstallerSha256: sha256.toUpperCase(),
        NestedInstallerFiles: [{
          RelativeFilePath: `${folder}\\${NAME}.exe`,
          PortableCommandAlias: NAME,
        }],
      };
    }),
    ManifestType: "installer",
  };
  const locale = {
    PackageLocale: LOCALE,
    Publisher: "The paddock authors",
    PublisherUrl: REPOSITORY_URL,
    PackageName: NAME,
    PackageUrl: REPOSITORY_URL,
    License: LICENSE,
    LicenseUrl: `${REPOSITORY_URL}/blob/v${VERSION}/LICENSE`,
    ShortDescription: DESCRIPTION,
    Tags: ["mcp", "model-context-protocol", "filesystem"],
    ManifestType: "defaultLocale",
  };
  const file = (kind: string, content: object) =>
    `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${kind}.${MANIFEST_VERSION}.schema.json\n\n` +
    stringify({ ...common, ...content, ManifestVersion: MANIFEST_VERSION });
  return {
    [`${IDENTIFIER}.yaml`]: file("version", version),
    [`${IDENTIFIER}.installer.yaml`]: file("installer", installer),
    [`${IDENTIFIER}.locale.${LOCALE}.yaml`]: file("defaultLocale", locale),
  };
}
