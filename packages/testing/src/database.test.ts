import { describe, expect, test } from "bun:test";
import postgres from "postgres";
import { createTestDatabase } from "./database.ts";

async function query<T>(url: string, use: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1 });
  try {
    return await use(sql);
  } finally {
    await sql.end();
  }
}

describe("a test database", () => {
  test("is separate: no test sees the rows of another", async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.ownerUrl, (sql) => sql`create table mark (id int)`);
    const seen = (url: string) =>
      query(url, (sql) => sql`select to_regclass('mark') is not null as seen`);
    expect([...(await seen(one.ownerUrl))]).toEqual([{ seen: true }]);
    expect([...(await seen(other.ownerUrl))]).toEqual([{ seen: false }]);
    await Promise.all([one.drop(), other.drop()]);
  });

  test("is opened as the less privileged app role, and as its owner", async () => {
    const database = await createTestDatabase();
    const whoAmI = (url: string) =>
      query(url, (sql) => sql`select current_user::text as role, current_database() as name`);
    const [app] = await whoAmI(database.url);
    expect(app).toEqual({ role: "turnpike_app", name: database.name });
    const [owner] = await whoAmI(database.ownerUrl);
    expect(owner?.role).not.toBe("turnpike_app");
    await database.drop();
  });

  test("can be dropped while the app is still connected", async () => {
    const database = await createTestDatabase();
    const ended = Promise.withResolvers<void>();
    const app = postgres(database.url, { max: 1, onclose: () => ended.resolve() });
    await app`select 1`;
    await database.drop();
    await ended.promise;
    await expect(query(database.ownerUrl, (sql) => sql`select 1`)).rejects.toThrow(
      "does not exist",
    );
    await app.end();
  });
});
