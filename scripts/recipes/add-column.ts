// "Add a column of the request row" with the version that a client sends of itself.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFile, type Recipe } from "./recipe.ts";
import type { ScratchRepository } from "./scratch-repository.ts";

const title = "Add a column of the request row";
const migration = "client_version";

/** As CONTRIBUTING.md says under "The database". */
function addMigration({ root, run }: ScratchRepository): void {
  const kit = join(root, "node_modules/drizzle-kit/bin.cjs");
  run([process.execPath, kit, "generate", "--name", migration]);
  const { entries } = JSON.parse(readFileSync(join(root, "drizzle/meta/_journal.json"), "utf8"));
  const tag: string = entries.at(-1).tag;
  const snapshots = readdirSync(join(root, "drizzle/meta")).filter((name) => /^\d/.test(name));
  rmSync(join(root, "drizzle/meta", snapshots.toSorted()[0] ?? ""));
  const text = readFileSync(join(root, `drizzle/${tag}.sql`));
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const landed = join(root, findFile(title, "landed-migrations.test.ts"));
  const list = readFileSync(landed, "utf8");
  writeFileSync(landed, list.replace(/^};\n/m, `  "${tag}": "${hash}",\n};\n`));
}

export const addColumn: Recipe = {
  title,
  edits: [
    {
      file: "schema/requests.ts",
      after: 'attemptWaitedMs: real("attempt_waited_ms"),',
      insert: '    clientVersion: text("client_version"),',
    },
    {
      file: "charge_new_calls.sql",
      replace: "      attempt_model, attempt_started_ms, attempt_waited_ms)",
      by: "      attempt_model, attempt_started_ms, attempt_waited_ms, client_version)",
    },
    {
      file: "charge_new_calls.sql",
      after: "c.attempt_model, c.attempt_started_ms, c.attempt_waited_ms",
      insert: "      , c.client_version",
    },
    {
      file: "protocol-route.ts",
      replace: "return { userAgent, app: appOf(headers) ?? null };",
      by: `const clientVersion = headers.get("x-client-version");
  return { userAgent, app: appOf(headers) ?? null, clientVersion };`,
    },
    {
      file: "present-generation.ts",
      after: "readonly app: string | null;",
      insert: "  readonly clientVersion: string | null;",
    },
    {
      file: "present-generation.ts",
      after: "app: view.app,",
      insert: "    client_version: view.clientVersion,",
    },
    {
      file: "receipts/src/sample-call.fixture.ts",
      after: 'app: "an app that it does not mention",',
      insert: '  clientVersion: "1.0",',
    },
    {
      file: "generation.json",
      before: '        "error_code": {',
      insert: `        "client_version": {
          "description": "The \`x-client-version\` of the client.",
          "type": ["string", "null"]
        },`,
    },
    {
      file: "presenters.test.ts",
      after: 'userAgent: "curl",',
      insert: '  clientVersion: "1.0",',
    },
    {
      file: "routers/logs.ts",
      after: "userAgent: request.userAgent,",
      insert: "        clientVersion: request.clientVersion,",
    },
    {
      file: "usage-routes.ts",
      after: "userAgent: z.string().nullable()",
      insert:
        '    clientVersion: z.string().nullable().describe("The `x-client-version` of the client."),',
    },
    {
      file: "log-facts.ts",
      after: '["Client", of.userAgent],',
      insert: '    ["Client version", of.clientVersion],',
    },
    {
      file: "open-logs.fixture.tsx",
      before: "  endedAt: null,",
      insert: "  clientVersion: null,",
    },
  ],
  finish: addMigration,
};
