/** The parts of the formats of registries and package managers that we use, as in their schemas. */
import { z } from "zod";

const url = z.url({ protocol: /^https$/ });
const sum = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().regex(/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/);

const argument = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("positional"),
    valueHint: z.string(),
    description: z.string(),
    format: z.enum(["string", "number", "boolean", "filepath"]),
    isRequired: z.boolean(),
    isRepeated: z.boolean(),
  }),
  z.strictObject({
    type: z.literal("named"),
    name: z.string().startsWith("--"),
    description: z.string(),
    format: z.enum(["string", "number", "boolean", "filepath"]),
    default: z.string(),
  }),
]);

const transport = z.strictObject({ type: z.literal("stdio") });

/** server.json of 2025-12-11. A bundle needs its checksum and has an address; a package of a registry has a name. */
export const ServerJson = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: version.max(255),
  repository: z.strictObject({ url, source: z.literal("github") }),
  packages: z.array(z.discriminatedUnion("registryType", [
    z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.string().regex(/^[a-z0-9-]+$/),
      version,
      runtimeHint: z.literal("npx"),
      transport,
      packageArguments: z.array(argument),
    }),
    z.strictObject({
      registryType: z.literal("mcpb"),
      identifier: url.endsWith(".mcpb"),
      version,
      fileSha256: sum,
      transport,
    }),
  ])),
});

const scoopDownload = z.strictObject({ url, hash: sum, extract_dir: z.string() });
const scoopUpdate = z.strictObject({ url: z.string().includes("$version"), extract_dir: z.string() });

export const ScoopManifest = z.strictObject({
  version,
  description: z.string(),
  homepage: url,
  license: z.string(),
  architecture: z.strictObject({ "64bit": scoopDownload, arm64: scoopDownload }),
  bin: z.string(),
  checkver: z.literal("github"),
  autoupdate: z.strictObject({
    architecture: z.strictObject({ "64bit": scoopUpdate, arm64: scoopUpdate }),
    hash: z.strictObject({ url: z.string() }),
  }),
});

const winget = {
  PackageIdentifier: z.string().max(128).regex(/^[^.\s\\/:*?"<>|]{1,32}(\.[^.\s\\/:*?"<>|]{1,32}){1,7}$/),
  PackageVersion: version.max(128),
  ManifestVersion: z.literal("1.10.0"),
};

export const WINGET = {
  version: z.strictObject({
    ...winget,
    DefaultLocale: z.literal("en-US"),
    ManifestType: z.literal("version"),
  }),
  installer: z.strictObject({
    ...winget,
    InstallerType: z.literal("zip"),
    NestedInstallerType: z.literal("portable"),
    Commands: z.array(z.string().max(40)),
    Installers: z.array(z.strictObject({
      Architecture: z.enum(["x64", "arm64"]),
      InstallerUrl: url,
      InstallerSha256: z.string().regex(/^[0-9A-F]{64}$/),
      NestedInstallerFiles: z.array(z.strictObject({
        RelativeFilePath: z.string().max(512).regex(/^[^/]+$/),
        PortableCommandAlias: z.string().max(40),
      })),
    })).min(1),
    ManifestType: z.literal("installer"),
  }),
  defaultLocale: z.strictObject({
    ...winget,
    PackageLocale: z.literal("en-US"),
    Publisher: z.string().min(2).max(256),
    PublisherUrl: url,
    PackageName: z.string().min(2).max(256),
    PackageUrl: url,
    License: z.string().min(3).max(512),
    LicenseUrl: url,
    ShortDescription: z.string().min(3).max(256),
    Tags: z.array(z.string().min(1).max(40)).max(16),
    ManifestType: z.literal("defaultLocale"),
  }),
};
