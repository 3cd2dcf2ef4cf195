// Production installations with one thing wrong each, and how what is found of each begins: the variable or the thing, and
// what is wrong with it.
import { readEnvironment } from "../../src/config.ts";
import { countConnections } from "../../src/open-pools.ts";
import type { Production } from "./open-production.ts";

/** Undefined: unset. */
export type Changes = Readonly<Record<string, string | undefined>>;

export type Broken = {
  readonly what: string;
  readonly changes?: (production: Production) => Changes;
  readonly break?: (production: Production) => Promise<void>;
  readonly repair?: (production: Production) => Promise<void>;
  readonly found: readonly string[];
};

/** Nothing listens there. */
const away = "127.0.0.1:1";
const awayUrl = `postgres://a:b@${away}/c`;
const anotherKey = "another-key-that-the-servers-do-not-have";
const withPassword = (url: string) => Object.assign(new URL(url), { password: "wrong" }).href;
const noAnswer = (setting: string) => `the database does not answer. Check ${setting}.`;

/** As the superuser. */
function statement(text: string) {
  return async ({ cluster }: Production) => void (await cluster.admin.sql.unsafe(text));
}

/** What one server opens at most. */
const needed = countConnections(readNeeds());

function readNeeds() {
  const { config } = readEnvironment({ DATABASE_URL: awayUrl });
  if (config === undefined) throw new Error("no configuration");
  return config;
}

export const brokenInstallations: readonly Broken[] = [
  {
    what: "SANDBOX",
    changes: () => ({ SANDBOX: "true" }),
    found: ["error settings: SANDBOX: shows every mail and gives money away; unset it."],
  },
  {
    what: "no PUBLIC_URL",
    changes: () => ({ PUBLIC_URL: undefined }),
    found: ["error settings: PUBLIC_URL: is required in production."],
  },
  {
    what: "text that is not an address in TRUSTED_PROXIES",
    changes: () => ({ TRUSTED_PROXIES: "127.0.0.1,10.0.0.O" }),
    found: ["error settings: TRUSTED_PROXIES: 10.0.0.O is neither an address nor a network."],
  },
  {
    what: "TRUSTED_PROXY instead of TRUSTED_PROXIES",
    changes: () => ({ TRUSTED_PROXIES: undefined, TRUSTED_PROXIE: "127.0.0.1" }),
    found: ["warning settings: TRUSTED_PROXIE: is not a setting, so TRUSTED_PROXIES has its"],
  },
  {
    what: "too few requests at the same time",
    changes: () => ({ BUN_CONFIG_MAX_HTTP_REQUESTS: "256" }),
    found: ["error settings: BUN_CONFIG_MAX_HTTP_REQUESTS: must be at least"],
  },
  {
    what: "limits that are scaled to nothing",
    changes: () => ({ THROTTLE_SCALE: "1000" }),
    found: ["error settings: THROTTLE_SCALE: must be from"],
  },
  {
    what: "terms and a privacy policy that are not there",
    changes: () => ({ TERMS_FILE: "/nowhere/terms.md", PRIVACY_FILE: "/nowhere/privacy.md" }),
    found: [
      "error legal: TERMS_FILE: /nowhere/terms.md cannot be read",
      "error legal: PRIVACY_FILE: /nowhere/privacy.md cannot be read",
    ],
  },
  {
    what: "a file of places that is not there",
    changes: () => ({ GEO_FILE: "/nowhere.mmdb" }),
    found: ["error places: GEO_FILE: /nowhere.mmdb is no database of places"],
  },
  {
    what: "a catalog that is not there",
    changes: () => ({ CATALOG_FILE: "/nowhere.yaml" }),
    found: ["error catalog: ENOENT"],
  },
  {
    what: "a database that is down",
    changes: () => ({ DATABASE_URL: awayUrl, DATABASE_DIRECT_URL: undefined }),
    found: [`error database: ${noAnswer("DATABASE_URL")}`],
  },
  {
    what: "a wrong password of the database",
    changes: ({ cluster }) => ({ DATABASE_URL: withPassword(cluster.postgres.appUrl) }),
    found: [
      'error database: password authentication failed for user "turnpike_app". Check DATABASE_URL.',
    ],
  },
  {
    what: "a standby as the database",
    changes: ({ cluster, atStandby }) => ({
      DATABASE_URL: atStandby(cluster.postgres.appUrl),
      DATABASE_MIGRATION_URL: undefined,
      DATABASE_DIRECT_URL: undefined,
      DATABASE_REPLICA_URL: undefined,
    }),
    found: ["error database: DATABASE_URL: is a hot standby, which accepts no writes"],
  },
  {
    what: "a database that loses commits",
    break: statement("alter role turnpike_app set synchronous_commit = off"),
    repair: statement("alter role turnpike_app reset synchronous_commit"),
    found: ["error database: DATABASE_URL: loses commits in a crash; set fsync and"],
  },
  {
    what: "a database that was not migrated",
    changes: ({ cluster }) => ({
      DATABASE_URL: cluster.superuserUrl,
      DATABASE_DIRECT_URL: undefined,
      DATABASE_REPLICA_URL: undefined,
    }),
    found: ["error schema: the database was not migrated for this version yet. Run `bun run admin"],
  },
  {
    what: "an owner's URL that is wrong",
    changes: () => ({ DATABASE_MIGRATION_URL: awayUrl }),
    found: [`error database: ${noAnswer("DATABASE_MIGRATION_URL")}`],
  },
  {
    what: "a direct URL that is down",
    changes: () => ({ DATABASE_DIRECT_URL: awayUrl }),
    found: [`error notifications: DATABASE_DIRECT_URL: ${noAnswer("DATABASE_DIRECT_URL")}`],
  },
  {
    what: "a direct URL to another database",
    changes: ({ cluster }) => ({ DATABASE_DIRECT_URL: cluster.superuserUrl }),
    found: ["error notifications: DATABASE_DIRECT_URL: notifications do not arrive there; name"],
  },
  {
    what: "a replica that is down",
    changes: () => ({ DATABASE_REPLICA_URL: awayUrl }),
    found: [`error replica: DATABASE_REPLICA_URL: ${noAnswer("DATABASE_REPLICA_URL")}`],
  },
  {
    what: "the primary as a replica",
    changes: ({ cluster }) => ({ DATABASE_REPLICA_URL: cluster.postgres.appUrl }),
    found: ["error replica: DATABASE_REPLICA_URL: is no standby of DATABASE_URL's; name a hot"],
  },
  {
    what: "another database of the standby as a replica",
    changes: ({ cluster, atStandby }) => ({
      DATABASE_REPLICA_URL: atStandby(cluster.superuserUrl),
    }),
    found: ["error replica: DATABASE_REPLICA_URL: is no standby of DATABASE_URL's; name a hot"],
  },
  {
    what: "a collector of traces that is down",
    changes: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${away}` }),
    found: [`error traces: OTEL_EXPORTER_OTLP_ENDPOINT: ${away} takes no traces (connect ECONN`],
  },
  {
    what: "a collector of traces that refuses",
    async break({ collector }) {
      collector.state.status = 401;
    },
    async repair({ collector }) {
      collector.state.status = 200;
    },
    found: ["error traces: OTEL_EXPORTER_OTLP_ENDPOINT: 127.0.0.1:"],
  },
  {
    what: "another sealing key than the servers have",
    changes: () => ({ SEALING_KEY: anotherKey }),
    found: ["error sealing key: SEALING_KEY does not open what the servers sealed; set it as"],
  },
  {
    what: "no sealing key, although the servers have one",
    changes: () => ({ SEALING_KEY: undefined }),
    found: ["error sealing key: SEALING_KEY is not set, but servers of this database sealed"],
  },
  {
    what: "another ledger key than the database has",
    changes: () => ({ LEDGER_KEY: anotherKey }),
    found: ["error ledger key: LEDGER_KEY is not a key of this database, and without it"],
  },
  {
    what: "a role that may open too few connections",
    break: statement(`alter role turnpike_app connection limit ${needed + 3}`),
    repair: statement("alter role turnpike_app connection limit -1"),
    found: [
      `warning connections: 1 processes use up to ${needed} connections of ${needed + 3} that the role`,
    ],
  },
  {
    what: "a role that may not open what one server needs",
    break: statement(`alter role turnpike_app connection limit ${needed - 1}`),
    repair: statement("alter role turnpike_app connection limit -1"),
    found: [
      `error connections: 1 processes use up to ${needed} connections of ${needed - 1} that the role`,
    ],
  },
  {
    what: "a database that accepts too few connections",
    break: statement(`alter database turnpike connection limit ${needed - 1}`),
    repair: statement("alter database turnpike connection limit -1"),
    found: [
      `error connections: 1 processes use up to ${needed} connections of ${needed - 1} that the database`,
    ],
  },
  {
    what: "a mail server that is down",
    changes: () => ({ SMTP_URL: `smtp://${away}` }),
    found: [`error mail: ${away} refuses (connect ECONNREFUSED`],
  },
  {
    what: "a mail server that is not a URL",
    changes: () => ({ SMTP_URL: "mail.example.com" }),
    found: ["error settings: SMTP_URL: must be a URL such as smtp://user:password@"],
  },
];
