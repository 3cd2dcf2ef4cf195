// The software bill of materials (CycloneDX 1.6) of an installation: every package that `bun.lock` names
// with its version, hash and dependencies, and our own packages. Only the lockfile is read, so the same
// lockfile yields the same list.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** An entry of `bun.lock`: name and version; for packages of a registry also registry, facts and hash. */
type LockEntry = readonly [id: string, ...rest: readonly unknown[]];
export type Lockfile = {
  readonly workspaces: Readonly<
    Record<string, { readonly name: string; readonly version?: string } & Wants>
  >;
  readonly packages: Readonly<Record<string, LockEntry>>;
};
type Wants = Readonly<
  Partial<Record<(typeof wantedKinds)[number], Readonly<Record<string, string>>>>
>;

const wantedKinds = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

type Component = {
  readonly type: "library" | "application";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly [{ readonly alg: "SHA-512"; readonly content: string }];
};

export const sbomPath = "dist/sbom.cdx.json";

/** Writes `dist/sbom.cdx.json` below `root`; returns how many components it lists. */
export function writeSbom(root: string): number {
  const sbom = describeLockfile(parseLockfile(readFileSync(join(root, "bun.lock"), "utf8")));
  const file = join(root, sbomPath);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return sbom.components.length;
}

/** Guarantee: Bun writes lockfiles of version 2 in this shape; another version throws. */
export function parseLockfile(text: string): Lockfile {
  const lock = Bun.JSONC.parse(text) as Lockfile & { readonly lockfileVersion: number };
  if (lock.lockfileVersion !== 2) throw new Error("bun.lock has an unknown version");
  return lock;
}

export function describeLockfile(lock: Lockfile) {
  const components = new Map<string, Component>();
  const dependsOn = new Map<string, ReadonlySet<string>>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    const component = describeEntry(lock, entry);
    const ref = component["bom-ref"];
    components.set(ref, component);
    const wanted = [...wantsOf(lock, entry)].flatMap((name) => resolve(lock, path, name) ?? []);
    dependsOn.set(ref, new Set([...(dependsOn.get(ref) ?? []), ...wanted]));
  }
  const root = lock.workspaces[""];
  if (root === undefined) throw new Error("bun.lock does not describe the root workspace");
  const rootRef = refOf(root.name, root.version ?? "0.0.0");
  const ofRoot = [...namesOf(root)].flatMap((name) => resolve(lock, "", name) ?? []);
  dependsOn.set(rootRef, new Set(ofRoot));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": rootRef,
        name: root.name,
        version: root.version ?? "0.0.0",
      },
    },
    components: [...components.values()].sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1)),
    dependencies: [...dependsOn]
      .map(([ref, on]) => ({ ref, dependsOn: [...on].sort() }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
}

function describeEntry(lock: Lockfile, entry: LockEntry): Component {
  const { name, version, isOurs } = describePackage(lock, entry);
  const ref = refOf(name, version);
  const hash = entry.at(-1);
  return {
    type: isOurs ? "application" : "library",
    "bom-ref": ref,
    name,
    version,
    purl: ref,
    ...(typeof hash === "string" &&
      hash.startsWith("sha512-") && {
        hashes: [{ alg: "SHA-512", content: Buffer.from(hash.slice(7), "base64").toString("hex") }],
      }),
  };
}

function describePackage(lock: Lockfile, [id]: LockEntry) {
  const at = id.lastIndexOf("@");
  const name = id.slice(0, at);
  const version = id.slice(at + 1);
  if (!version.startsWith("workspace:")) return { name, version, isOurs: false };
  const own = lock.workspaces[version.slice("workspace:".length)];
  return { name, version: own?.version ?? "0.0.0", isOurs: true };
}

/** A package URL of the type npm; the `@` of a scope is written `%40`. */
function refOf(name: string, version: string): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${encodeURIComponent(version)}`;
}

function namesOf(wants: Wants): ReadonlySet<string> {
  return new Set(wantedKinds.flatMap((kind) => Object.keys(wants[kind] ?? {})));
}

function wantsOf(lock: Lockfile, [id, ...rest]: LockEntry): ReadonlySet<string> {
  const own = /@workspace:(.+)$/.exec(id)?.[1];
  if (own !== undefined) return namesOf(lock.workspaces[own] ?? {});
  const facts = rest.find((part): part is Wants => typeof part === "object" && part !== null);
  return namesOf(facts ?? {});
}

/**
 * The nearest entry on the way up: `a/b/name`, `a/name`, `name`. Undefined for a package that is
 * not installed.
 */
function resolve(lock: Lockfile, path: string, name: string): string | undefined {
  for (let above = path; ; above = parentOf(above)) {
    const entry = lock.packages[above === "" ? name : `${above}/${name}`];
    if (entry !== undefined) return describeEntry(lock, entry)["bom-ref"];
    if (above === "") return undefined;
  }
}

/** Scopes contain a slash: the parent of `a/@b/c` is `a`. */
function parentOf(path: string): string {
  const parts = path.split("/");
  const last = parts.at(-2)?.startsWith("@") ? -2 : -1;
  return parts.slice(0, last).join("/");
}
