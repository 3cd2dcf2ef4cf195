// A separate database for every test file: a clone of the template that was migrated once for the
// whole run, so that tests share no rows and still use the real schema.
import postgres from "postgres";
import { inPhase } from "./in-phase.ts";
import { cloneDatabase, dropDatabase } from "./prepare-template.ts";

export type TestDatabase = {
  name: string;
  /** As the server runs: role `turnpike_app`, without the rights of the owner. */
  url: string;
  /** As migrations run; for set-up and for checks that bypass the server. */
  ownerUrl: string;
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>;
};

/**
 * Clones the run's migrated template, or an `empty` database for a test that migrates it itself.
 * Needs the PostgreSQL that `bun run test` starts.
 */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const clusterUrl = readVariable("TEST_DATABASE_URL");
  const template = empty ? "template0" : readVariable("TEST_TEMPLATE");
  const password = readVariable("TEST_APP_PASSWORD");
  const name = `test_${Bun.randomUUIDv7("hex")}`;
  await inPhase("databases", () =>
    withConnection(clusterUrl, (sql) => cloneDatabase(sql, template, name)),
  );
  const ownerUrl = urlOf(clusterUrl, { database: name });
  return {
    name,
    ownerUrl,
    url: urlOf(ownerUrl, { database: name, user: "turnpike_app", password }),
    drop: () =>
      inPhase("databases", () => withConnection(clusterUrl, (sql) => dropDatabase(sql, name))),
  };
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: this test needs a database. Run \`bun run test [files]\`.`);
}

async function withConnection<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

type UrlParts = { database: string; user?: string; password?: string };

/** The same server with another database or role. */
export function urlOf(url: string, { database, user, password }: UrlParts): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  if (user !== undefined) changed.username = user;
  if (password !== undefined) changed.password = encodeURIComponent(password);
  return changed.href;
}
