// No package of the lockfile has a published vulnerability, and no file of the repository has a secret.
import { expect, test } from "bun:test";
import { advisories } from "./tidy/advisories.ts";
import { readSource, root } from "./tidy/read-sources.ts";

/** `name@version` of every package in a lockfile. */
function readPackages(lockfile: string): ReadonlySet<string> {
  const lines = lockfile.matchAll(/^ {4}"[^"]+": \["((?:@[^/"]+\/)?[^@"]+@\d[^"]*)"/gm);
  return new Set([...lines].map(([, named = ""]) => named));
}

function findVulnerable(lockfile: string): readonly string[] {
  const packages = [...readPackages(lockfile)].map((named) => {
    const at = named.lastIndexOf("@");
    return { name: named.slice(0, at), version: named.slice(at + 1) };
  });
  return advisories.flatMap((advisory) =>
    packages
      .filter(
        ({ name, version }) => name === advisory.package && !(version in (advisory.accepted ?? {})),
      )
      .filter(({ version }) => Bun.semver.satisfies(version, advisory.affected))
      .map(({ name, version }) => `${name}@${version}: ${advisory.id}, ${advisory.about}`),
  );
}

const lockfile = readSource("bun.lock").text;

test("no package of the lockfile has a known vulnerability that was not accepted", () => {
  expect(readPackages(lockfile).size).toBeGreaterThan(300);
  expect(findVulnerable(lockfile)).toEqual([]);
});

test("an affected version is found, scoped or not, and an accepted one is passed over", () => {
  const locked = [
    ["drizzle-orm", "0.45.1"],
    ["@trpc/server", "11.0.3"],
    ["esbuild", "0.18.20"],
    ["elysia", "1.4.27"],
  ].map(([name, version]) => `    "${name}": ["${name}@${version}", "", {}, "sha512-x"],`);
  const found = findVulnerable(locked.join("\n"));
  expect(found.map((line) => line.split(",", 1)[0])).toEqual([
    "drizzle-orm@0.45.1: GHSA-gpj5-g38j-94v9",
    "@trpc/server@11.0.3: GHSA-43p4-m455-4f4j",
    "@trpc/server@11.0.3: GHSA-pj3v-9cm8-gvj8",
  ]);
});

test("an advisory is about a package that is still installed", () => {
  const names = new Set([...readPackages(lockfile)].map((named) => named.replace(/@[^@]*$/, "")));
  const gone = advisories.filter((advisory) => !names.has(advisory.package));
  expect(gone.map(({ id }) => id)).toEqual([]);
});

/** Keys and tokens as their issuers write them, ours included. */
const secrets = new RegExp(
  [
    "sk-tp-[A-Za-z0-9]{49}",
    "sk-(?:proj-)?[A-Za-z0-9_]{40,}",
    "sk-ant-[A-Za-z0-9-]{20,}",
    "AKIA[0-9A-Z]{16}",
    "gh[pousr]_[A-Za-z0-9]{36}",
    "github_pat_[A-Za-z0-9_]{22,}",
    "-----BEGIN [A-Z ]*PRIVATE KEY-----",
    "[sr]k_live_[A-Za-z0-9]{16,}",
    "whsec_[A-Za-z0-9+/=]{24,}",
    "xox[abprs]-[A-Za-z0-9-]{10,}",
    "AIza[0-9A-Za-z_-]{35}",
    "npm_[A-Za-z0-9]{36}",
    "hf_[A-Za-z0-9]{30,}",
  ].join("|"),
  "g",
);

/** What tests use in place of secrets; none of it opens anything. */
const harmless = new Set([
  "sk_live_0123456789abcdefABCD",
  "whsec_previous00000000000000000000",
  "whsec_scripted0000000000000000000000",
  "AKIAIOSFODNN7EXAMPLE",
  "-----BEGIN PRIVATE KEY-----",
]);

function findSecrets(text: string): readonly string[] {
  return [...text.matchAll(secrets)]
    .map(([found]) => found)
    .filter((found) => !harmless.has(found));
}

test("no file of the repository has a secret", () => {
  const { stdout } = Bun.spawnSync(["git", "ls-files", "-z"], { cwd: root });
  const paths = stdout.toString().split("\0").filter(Boolean);
  expect(paths.length).toBeGreaterThan(1_000);
  const found = paths.flatMap((path) =>
    findSecrets(readSource(path).text).map((secret) => `${path}: ${secret.slice(0, 12)}…`),
  );
  expect(found).toEqual([]);
});

test("keys of providers, of ours and private keys are recognized", () => {
  const parts = [
    ["sk-tp-", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1vabcdef"],
    ["AKIA", "ABCDEFGHIJKLMNOP"],
    ["ghp_", "abcdefghijklmnopqrstuvwxyz0123456789"],
    ["-----BEGIN RSA ", "PRIVATE KEY-----"],
  ];
  for (const [prefix, rest] of parts) expect(findSecrets(`${prefix}${rest}`)).toHaveLength(1);
});
