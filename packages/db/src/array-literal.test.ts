// PostgreSQL reads what we write as an array, whatever its texts hold.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { arrayLiteral } from "./array-literal.ts";
import { type Connection, connectDatabase } from "./connect.ts";

let database: TestDatabase;
let owner: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

test("an array literal preserves any text, numbers, booleans and null", async () => {
  const texts = ["", "NULL", "a,b", '"q"', "\\\\", "{}", " space ", "ü😀", null];
  const numbers = [1, -2n, 2n ** 62n, 0.5, null];
  const [row] = await owner.sql`
    select to_json(${arrayLiteral(texts)}::text[])::text as texts,
           ${arrayLiteral(numbers)}::numeric[]::text as numbers,
           ${arrayLiteral([true, false, null])}::boolean[]::text as booleans`;
  expect(JSON.parse(row?.texts)).toEqual(texts);
  expect(row?.numbers).toBe("{1,-2,4611686018427387904,0.5,NULL}");
  expect(row?.booleans).toBe("{t,f,NULL}");
});

test("arrays of a single kind are preserved as exactly as mixed ones", async () => {
  const texts = ["NULL", "a,b", "{}", " space ", "ü😀", ""];
  const [row] = await owner.sql`
    select to_json(${arrayLiteral(texts)}::text[])::text as texts,
           ${arrayLiteral([1, -2n, 2n ** 62n, 0.5])}::numeric[]::text as numbers,
           cardinality(${arrayLiteral([])}::text[]) as none,
           ${arrayLiteral([null])}::text[]::text as nothing`;
  expect(JSON.parse(row?.texts)).toEqual(texts);
  expect(row?.numbers).toBe("{1,-2,4611686018427387904,0.5}");
  expect(row?.none).toBe(0);
  expect(row?.nothing).toBe("{NULL}");
});
