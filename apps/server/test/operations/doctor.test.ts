// `bun run admin doctor` against an installation on loopback: a server behind a TLS proxy, with a scripted Stripe, mail
// server and provider. What is broken is found, named, and nothing else is.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { shiftDatabaseClock } from "@turnpike/testing";
import { readEnvironment } from "../../src/config.ts";
import { judgeAddress } from "../../src/doctor/check-address.ts";
import { examine } from "../../src/doctor/examine.ts";
import { parseRanges } from "../../src/parse-addresses.ts";
import { openAuthority } from "../harness/issue-certificate.ts";
import { type Installation, openInstallation } from "./open-installation.ts";

const token = "a-token-that-Prometheus-has";
const authority = openAuthority();
let installation: Installation;

beforeAll(async () => {
  installation = await openInstallation(authority, { metricsToken: token });
});
afterAll(async () => {
  await installation.close();
});

const SEALING_KEY = "the-sealing-key-of-the-tests-of-doctor";
const awayBucket = {
  OBJECTS_FOLDER: "",
  OBJECTS_S3_BUCKET: "files",
  OBJECTS_S3_ENDPOINT: "http://127.0.0.1:1",
  OBJECTS_S3_ACCESS_KEY_ID: "id",
  OBJECTS_S3_SECRET_ACCESS_KEY: "secret",
};

const trusted = { ca: authority.cert };

async function findBad(
  changes: Readonly<Record<string, string>> = {},
  trust: { ca?: string } = trusted,
): Promise<readonly string[]> {
  const findings = await examine(
    readEnvironment({ ...installation.environment, ...changes }),
    trust,
  );
  return findings
    .filter(({ level }) => level !== "ok")
    .map(({ check, level, message }) => `${level} ${check}: ${message}`);
}

/** Of every installation of these tests: their authority issues for a day, and their cluster archives nothing. */
const usual = [
  expect.stringMatching(/^warning tls: The certificate ends on \S+; renew it\.$/),
  expect.stringMatching(/^warning providers: .*keyless.* NO_SUCH_KEY is not set\.$/),
  expect.stringMatching(/^warning backups: The write-ahead log is not archived; archive it/),
  expect.stringMatching(/^warning sealing key: SEALING_KEY is not set, so there are no webhooks/),
  expect.stringMatching(
    /^warning ledger key: no LEDGER_KEY in the database: .*; set LEDGER_KEY\.$/,
  ),
];

const outcome = (findings: readonly string[]) => findings.toSorted();
const withUsual = (...wrong: readonly string[]) =>
  expect.arrayContaining([...usual, ...wrong.map((start) => expect.stringContaining(start))]);

test("a sound installation has no error", async () => {
  const found = await findBad();
  expect(found).toHaveLength(usual.length);
  expect(outcome(found)).toEqual(withUsual());
});

type Case = {
  readonly what: string;
  readonly changes?: (installation: Installation) => Readonly<Record<string, string>>;
  readonly break?: (installation: Installation) => void;
  readonly repair?: (installation: Installation) => void;
  /** How what is found begins. */
  readonly found: string;
};

const cases: readonly Case[] = [
  {
    what: "a proxy that changes Host",
    break({ proxy }) {
      proxy.state.host = "10.0.0.7";
    },
    repair({ proxy }) {
      proxy.state.host = undefined;
    },
    found: "error host: The proxy changes Host; let it pass Host on",
  },
  {
    what: "a proxy that believes what callers write into X-Forwarded-For",
    break({ proxy }) {
      proxy.state.forward = (_, given) => given ?? undefined;
    },
    repair({ proxy }) {
      proxy.state.forward = () => "127.0.0.1";
    },
    found: "error proxy: Callers can invent their address",
  },
  {
    what: "another token than the servers have",
    changes: () => ({ METRICS_TOKEN: "another-token-not-theirs" }),
    found: "warning proxy: Set METRICS_TOKEN here to that of the servers",
  },
  {
    what: "a server that is away",
    break({ proxy }) {
      proxy.state.target = "http://127.0.0.1:1";
    },
    repair({ proxy, server }) {
      proxy.state.target = server.url;
    },
    found: "error host: /v1/models was answered with 502",
  },
  {
    what: "a webhook endpoint that is disabled",
    break({ endpoint }) {
      endpoint.status = "disabled";
    },
    repair({ endpoint }) {
      endpoint.status = "enabled";
    },
    found: "error stripe: The webhook endpoint",
  },
  {
    what: "a webhook endpoint that does not send every event",
    break({ endpoint }) {
      endpoint.enabled_events = ["charge.refunded"];
    },
    repair({ endpoint }) {
      endpoint.enabled_events = ["*"];
    },
    found: "error stripe: The webhook endpoint does not send checkout.session.completed",
  },
  {
    what: "a key that Stripe refuses",
    changes: () => ({ STRIPE_SECRET_KEY: "sk_test_another0000000000000000" }),
    found: "error stripe: Stripe does not accept STRIPE_SECRET_KEY (Invalid API Key",
  },
  {
    what: "a mail server that is away",
    changes: () => ({ SMTP_URL: "smtp://127.0.0.1:1" }),
    found: "error mail: 127.0.0.1:1 refuses (connect ECONNREFUSED",
  },
  {
    what: "a key that its provider refuses",
    break({ provider }) {
      provider.state.key = "another";
    },
    repair({ provider }) {
      provider.state.key = "the-right-key-of-the-provider";
    },
    found: "error provider acme: It refuses the key (status 401); replace it.",
  },
  {
    what: "the owner of the tables as the server's role",
    changes: ({ server }) => ({ DATABASE_URL: server.database.ownerUrl }),
    found: "warning rights: turnpike_owner owns the tables and could rewrite the books",
  },
  {
    what: "more connections than PostgreSQL has",
    changes: () => ({ WORKERS: "64" }),
    found: "error connections: 64 processes use up to",
  },
];

test.each([...cases])("$what is found, and nothing else", async (one) => {
  one.break?.(installation);
  try {
    const found = await findBad(one.changes?.(installation));
    expect(outcome(found)).toEqual(withUsual(one.found));
    // Of a server that is away nothing else can be found either.
    if (one.what !== "a server that is away") expect(found).toHaveLength(usual.length + 1);
  } finally {
    one.repair?.(installation);
  }
});

test.each([
  ["dns", { PUBLIC_URL: `https://${"a".repeat(64)}.example` }, "create its DNS record"],
  ["connection", { PUBLIC_URL: "https://localhost:1" }, "start the proxy, and open the port"],
  ["settings", { SETTLE_WAIT_MS: "many" }, "SETTLE_WAIT_MS: "],
  ["catalog", { CATALOG_FILE: "/nowhere.yaml" }, "Check CATALOG_FILE."],
  ["database", { DATABASE_URL: "postgres://a:b@127.0.0.1:1/c" }, "the database does not answer"],
  ["storage", { SEALING_KEY, OBJECTS_FOLDER: "/dev/null/files" }, "cannot write there"],
  ["storage", { SEALING_KEY, ...awayBucket }, "the service is away (PUT: ECONNREFUSED)"],
])("%s: what follows from one failure is not found as well", async (check, changes, words) => {
  const bad = await findBad(changes);
  const found = bad.filter((text) => text.startsWith(`error ${check}: `));
  expect(found).toEqual([expect.stringContaining(words)]);
});

test.each([
  ["192.0.2.1", "198.51.100.7", "error"],
  ["198.51.100.7", "::ffff:198.51.100.7", "ok"],
  ["10.0.0.1", "198.51.100.7", "error"],
  ["203.0.113.9", "192.168.1.7", "warning"],
] as const)("seen as %s from %s is %s", (seen, own, level) => {
  const proxies = parseRanges("10.0.0.0/8", []);
  expect(judgeAddress(seen, own, proxies).level).toBe(level);
});

test("a clock that differs from the database's is an error", async () => {
  await shiftDatabaseClock(installation.server.database, 5_000);
  const found = await findBad();
  expect(found).toContainEqual(expect.stringMatching(/^error clock: .* differ by [45]\d{3} ms/));
});
