// The catalog on the command line: its file is checked without a database, and applied with it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { readAdminConfig } from "../config.ts";
import { runAdmin } from "./run-admin.ts";

let database: TestDatabase;
let connection: Connection;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
  folder = mkdtempSync(join(tmpdir(), "turnpike-catalog-"));
});
afterAll(async () => {
  await connection.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const given = { DATABASE_URL: database.url, DATA_DIR: folder, ...environment };
  const { stdout, stderr, exitCode } = await runAdmin(args, () => readAdminConfig(given));
  return { out: stdout, err: stderr, code: exitCode };
}

const catalogText = (price: string) => `
providers:
  - { id: up, kind: openai-compatible, baseUrl: "https://up.example/v1", apiKey: "\${UP_KEY}" }
models:
  - id: up/one
    contextTokens: 1000
    maxOutputTokens: 100
    capabilities: []
    routes: [{ provider: up, model: one }]
    prices: { input: "${price}", output: "0.60" }
`;

test("check needs no database and lists every mistake", async () => {
  const file = join(folder, "broken.yaml");
  writeFileSync(file, catalogText("cheap").replace("1000", "many"));
  const { err, code } = await run(["catalog", "check", "--file", file], { DATABASE_URL: "" });
  expect(code).toBe(1);
  expect(err).toContain("models[0].contextTokens");
  expect(err).toContain("models[0].prices.input");
});

test.each([
  { name: "none.yaml", why: (path: string) => `The file ${path} does not exist.` },
  { name: ".", why: (path: string) => `${path} is a folder.` },
  {
    name: "broken.yaml/catalog.yaml",
    why: (path: string) => `The file ${path} cannot be read (ENOTDIR).`,
  },
])("check names a file that it cannot read, and what to do: $name", async ({ name, why }) => {
  const path = join(folder, name);
  writeFileSync(join(folder, "broken.yaml"), "");
  const err = `${why(resolve(path))} Name the catalog by --file PATH or CATALOG_FILE.\n`;
  const unreadable = { out: "", err, code: 1 };
  expect(await run(["catalog", "check", "--file", relative(".", path)])).toEqual(unreadable);
  expect(await run(["catalog", "apply"], { CATALOG_FILE: path })).toEqual(unreadable);
});

test("check ends with exit code 1 for an unknown field, and names the file and the field", async () => {
  const file = join(folder, "unknown.yaml");
  writeFileSync(file, `${catalogText("0.15")}surprise: 1\n`);
  const check = ["catalog", "check", "--file", file];
  const { out, code } = await run([...check, "--json"], { DATABASE_URL: "" });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ file, right: false, unknownFields: ["surprise"] });
  expect((await run(check)).out).toContain(`${file} has unknown fields: `);
});

test("apply appends a price once, and again only when it changed", async () => {
  const file = join(folder, "catalog.yaml");
  const apply = async (price: string) => {
    writeFileSync(file, catalogText(price));
    const environment = { CATALOG_FILE: file, UP_KEY: "up-key-0123456789" };
    const { out, err, code } = await run(["catalog", "apply", "--json"], environment);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(JSON.parse(out)).toMatchObject({ models: ["up/one"], hidden: [] });
    return connection.sql`select input_nanos from prices where model = 'up/one' order by since`;
  };
  await apply("0.15");
  expect(await apply("0.15")).toHaveLength(1);
  expect((await apply("0.30")).map((row) => row.input_nanos)).toEqual(["150000000", "300000000"]);
  const { rows } = JSON.parse((await run(["operator", "log", "--json"])).out);
  expect(rows[0]).toMatchObject({ action: "catalog.apply", reason: "not given" });
});
