// The bill of materials is checked against the schema of CycloneDX and against what is installed.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { readSource, root } from "../tidy/read-sources.ts";
import { describeLockfile, parseLockfile, sbomPath, writeSbom } from "./write-sbom.ts";

const sbom = describeLockfile(parseLockfile(readSource("bun.lock").text));

function readSchema(name: string): object {
  const folder = join(root, "node_modules/@cyclonedx/cyclonedx-library/res/schema");
  const file = `${name}.SNAPSHOT.schema.json`;
  // They refer to each other by their file names, relative to this address.
  const $id = `http://cyclonedx.org/schema/${file}`;
  return { ...JSON.parse(readFileSync(join(folder, file), "utf8")), $id };
}

function openValidator() {
  const ajv = new Ajv({ strict: false, validateFormats: true });
  addFormats(ajv);
  // Formats of a later draft, in fields that our list does not use.
  for (const format of ["idn-email", "iri-reference"]) ajv.addFormat(format, true);
  return ajv
    .addSchema(readSchema("spdx"))
    .addSchema(readSchema("jsf-0.82"))
    .compile(readSchema("bom-1.6"));
}

test("the list is valid CycloneDX 1.6, and the schema rejects an invalid one", () => {
  const validate = openValidator();
  validate(sbom);
  expect(validate.errors ?? []).toEqual([]);
  expect(validate({ ...sbom, specVersion: 16 })).toBe(false);
  expect(validate({ ...sbom, components: [{ type: "library" }] })).toBe(false);
});

test("it lists what is installed, each once, with its version and hash", () => {
  const refs = sbom.components.map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  const installed = JSON.parse(readFileSync(join(root, "node_modules/bun/package.json"), "utf8"));
  expect(refs).toContain(`pkg:npm/bun@${installed.version}`);
  const elysia = sbom.components.find(({ name }) => name === "elysia");
  expect(elysia?.hashes?.[0].content).toMatch(/^[0-9a-f]{128}$/);
  const foreign = sbom.components.filter(({ type }) => type === "library");
  expect(foreign.length).toBeGreaterThan(200);
  expect(foreign.filter(({ hashes }) => hashes === undefined)).toEqual([]);
});

test("every dependency it names is in it, and the server depends on elysia", () => {
  const refs = new Set(sbom.components.map((component) => component["bom-ref"]));
  const unknown = sbom.dependencies.flatMap(({ dependsOn }) =>
    dependsOn.filter((one) => !refs.has(one)),
  );
  expect(unknown).toEqual([]);
  const server = sbom.dependencies.find(({ ref }) => ref.startsWith("pkg:npm/%40turnpike/server@"));
  expect(server?.dependsOn.some((one) => one.startsWith("pkg:npm/elysia@"))).toBe(true);
});

test("a dependency resolves to the nearest installed version", () => {
  const entry = (id: string, wants: object = {}) => [id, "", wants, "sha512-AAAA"] as const;
  const { dependencies } = describeLockfile({
    workspaces: { "": { name: "top", version: "1.0.0", dependencies: { a: "1", b: "2" } } },
    packages: {
      a: entry("a@1.0.0", { dependencies: { b: "1", "@s/c": "1" } }),
      "a/b": entry("b@1.0.0", { dependencies: { "@s/c": "1", absent: "1" } }),
      b: entry("b@2.0.0"),
      "@s/c": entry("@s/c@1.0.0", { peerDependencies: { b: "*" } }),
    },
  });
  expect(Object.fromEntries(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))).toEqual({
    "pkg:npm/top@1.0.0": ["pkg:npm/a@1.0.0", "pkg:npm/b@2.0.0"],
    "pkg:npm/a@1.0.0": ["pkg:npm/%40s/c@1.0.0", "pkg:npm/b@1.0.0"],
    "pkg:npm/b@1.0.0": ["pkg:npm/%40s/c@1.0.0"],
    "pkg:npm/b@2.0.0": [],
    "pkg:npm/%40s/c@1.0.0": ["pkg:npm/b@2.0.0"],
  });
});

test("the build writes it, with the same bytes each time", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-sbom-"));
  try {
    writeFileSync(join(folder, "bun.lock"), readSource("bun.lock").text);
    const texts = [1, 2].map(() => {
      expect(writeSbom(folder)).toBe(sbom.components.length);
      return readFileSync(join(folder, sbomPath), "utf8");
    });
    expect(texts[0]).toBe(texts[1] ?? "");
    expect(readSource("scripts/build/run-build.ts").text).toContain("writeSbom(root)");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("SECURITY.md says how to report a vulnerability", () => {
  expect(readSource("SECURITY.md").text).toContain("## Reporting a vulnerability");
});
