// Statements as members get them: the text of the PDF is read back, and its totals are those of the ledger.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { type ApiKeyId, newId } from "@turnpike/base";
import { listStatementMonths, queryLedger, queryStatement } from "@turnpike/reports";
import { toNanos, zeroNanos } from "@turnpike/terms";
import { extractText } from "unpdf";
import {
  callProcedure,
  type Member,
  type Outcome,
  openTestApi,
  type TestApi,
} from "./open-test-api.fixture.ts";

let api: TestApi;
let ada: Member;
let laptop: ApiKeyId;

beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  ada = await api.addMember();
  laptop = newId<ApiKeyId>();
  await api.owner.sql`insert into api_keys (account_id, id, name, hash, masked)
    values (${ada.accountId}, ${laptop}, 'Łódź laptop', ${Buffer.from(laptop)}, 'masked')`;
});
afterAll(() => api.close());

const month = "2025-06";

const call = async (name: string, input?: unknown, member = ada): Promise<Outcome> =>
  callProcedure(name, await api.contextOf(member), input);

async function pdfOf(member = ada): Promise<string> {
  const outcome = await call("wallet.statementPdf", { month }, member);
  if (!outcome.ok) throw new Error(`${outcome.fault} ${outcome.param}`);
  return readPdf(outcome.value);
}

/** Guarantees nothing: what is no PDF cannot be read back. */
function readPdf(value: unknown): string {
  return (value as { pdf: string }).pdf;
}

async function textOf(pdf: string): Promise<string> {
  const { text } = await extractText(new Uint8Array(Buffer.from(pdf, "base64")), {
    mergePages: true,
  });
  return text.replace(/\s+/g, " ");
}

/** A posted movement of that time: `adjustment` of money in or out, or usage from before leases. */
async function move(at: string, nanos: bigint, reason: string, kind = "adjustment") {
  const { sql } = api.owner;
  const id = newId();
  const book = kind === "usage" ? "usage_revenue" : "adjustments";
  await sql`insert into ledger_transactions (id, kind, idempotency_key, reason, actor, created_at)
    values (${id}, ${kind}, ${`${kind}:${id}`}, ${reason}, 'test', ${at})`;
  await sql`insert into entries (account_id, transaction_id, book, amount_nanos)
    values (${ada.accountId}, ${id}, 'account', ${`${nanos}`}),
           ('00000000-0000-0000-0000-000000000000', ${id}, ${book}, ${`${-nanos}`})`;
}

async function spend(hour: string, nanos: bigint, keyId: ApiKeyId | null = laptop, closed = true) {
  await api.owner.sql`
    insert into leases (account_id, id, key_id, instance_id, hour, granted_nanos, spent_nanos, calls, closed_at)
    values (${ada.accountId}, ${newId()}, ${keyId}, ${newId()}, ${hour}, ${`${nanos}`}, ${`${nanos}`}, 3,
            ${closed ? hour : null})`;
}

/** Of May, June and July, on both sides of each midnight. */
async function writeSummer(): Promise<void> {
  await move("2025-05-31T23:59:59Z", 20_000_000_000n, "before");
  await move("2025-06-01T00:00:00Z", 1_250_000_000_000n, "card payment");
  await move("2025-06-30T23:59:59Z", -5_500_000_000n, "taken back");
  await move("2025-07-01T00:00:00Z", 7_000_000_000n, "after");
  await move("2025-06-10T00:00:00Z", -40n, "", "usage");
  await spend("2025-05-31T23:00:00Z", 1_000_000_001n);
  await spend("2025-06-01T00:00:00Z", 2_000_000_003n);
  await spend("2025-06-30T23:00:00Z", 1n);
  await spend("2025-06-30T23:00:00Z", 500_000_000n, null);
  await spend("2025-07-01T00:00:00Z", 9n);
}

test("the PDF has the totals of the ledger of that month, exactly, and both companies", async () => {
  await writeSummer();
  await call("wallet.setCompany", {
    name: "Žižkov Analytics s.r.o.",
    addressLines: ["Koněvova 1", "130 00 Praha"],
    taxNumber: "CZ12345678",
  });
  const [from, to] = [new Date("2025-06-01T00:00:00Z"), new Date("2025-07-01T00:00:00Z")];
  const query = { accountId: ada.accountId, timeZone: "UTC", limit: 100, from, to };
  const { rows } = await queryLedger(api.db, query);
  const sumOf = (isUsage: boolean) => {
    const chosen = rows.filter((row) => (row.type === "usage") === isUsage);
    return chosen.reduce((sum, row) => sum + row.amountNanos, 0n);
  };
  const statement = await queryStatement(api.db, { accountId: ada.accountId, month });
  expect(statement.paidNanos).toBe(toNanos(sumOf(false)));
  expect(statement.usedNanos).toBe(toNanos(-sumOf(true)));
  expect(statement.openingNanos).toBe(toNanos(18_999_999_999n));
  const text = await textOf(await pdfOf());
  for (const shown of [
    "Turnpike Test 1 Main Street Tax ID: TP-1",
    "Žižkov Analytics s.r.o. Koněvova 1 130 00 Praha Tax ID: CZ12345678",
    "June 1, 2025 to June 30, 2025 (UTC)",
    "Balance before June 1, 2025 $18.999999999",
    "Payments, less what was taken back $1,244.50",
    "Usage -$2.500000044",
    "Balance after June 30, 2025 $1,260.999999955",
    "June 1, 2025 Adjustment card payment $1,250.00",
    "June 30, 2025 Adjustment taken back -$5.50",
    "Total payments $1,244.50",
    "Łódź laptop 6 $2.000000004",
    "Playground 3 $0.50",
    "Total usage $2.500000044",
  ]) {
    expect(text).toContain(shown);
  }
  expect(text).toContain("Not posted by key 1 $0.00000004");
  for (const other of ["before $", "after $"]) expect(text).not.toContain(other);
});

test("what a month leaves is what the next one begins with", async () => {
  await writeSummer();
  const read = (of: string) => queryStatement(api.db, { accountId: ada.accountId, month: of });
  const [may, june, july] = [await read("2025-05"), await read(month), await read("2025-07")];
  expect(may.openingNanos).toBe(zeroNanos);
  expect(june.openingNanos).toBe(may.closingNanos);
  expect(july.openingNanos).toBe(june.closingNanos);
});

test("a statement is the same each time, and posts nothing", async () => {
  await writeSummer();
  const entries = async () => (await api.sql`select count(*) from entries`)[0];
  const before = await entries();
  expect(await pdfOf()).toBe(await pdfOf());
  expect(await entries()).toEqual(before);
});

test("a month has a statement once nothing of it can change any more", async () => {
  const { accountId } = ada;
  const at = (now: string) =>
    queryStatement(api.db, { accountId, month }, new Date(now)).then(
      () => "written",
      (error) => error.code,
    );
  expect(await at("2025-07-01T00:59:59Z")).toBe("invalid_value");
  expect(await at("2025-07-01T01:00:00Z")).toBe("written");
  await spend("2025-06-30T23:00:00Z", 5n, laptop, false);
  expect(await at("2025-07-01T01:00:00Z")).toBe("conflict");
  await api.owner.sql`update accounts set created_at = '2025-05-20' where id = ${accountId}`;
  const months = (now: string) => listStatementMonths(api.db, accountId, new Date(now));
  expect(await months("2025-07-01T00:59:59Z")).toEqual(["2025-05"]);
  expect(await months("2025-07-01T01:00:00Z")).toEqual(["2025-06", "2025-05"]);
});

test("those who read the ledger read statements, and owners and admins name the company", async () => {
  const company = { name: "Acme", addressLines: [], taxNumber: "" };
  for (const [role, mayRead, mayName] of [
    ["admin", true, true],
    ["billing", true, false],
    ["viewer", true, false],
    ["developer", false, false],
  ] as const) {
    const member = await api.addColleague(ada, role);
    const read = await call("wallet.statementPdf", { month }, member);
    const named = await call("wallet.setCompany", company, member);
    expect([role, read.ok, named.ok]).toEqual([role, mayRead, mayName]);
  }
});

test("a long month continues on further pages", async () => {
  for (let day = 1; day <= 30; day += 1) {
    for (const reason of ["first", "second", "third"]) {
      await move(`2025-06-${`${day}`.padStart(2, "0")}T12:00:00Z`, 10_000_000n, `${reason} ${day}`);
    }
  }
  const pdf = await pdfOf();
  const { totalPages } = await extractText(new Uint8Array(Buffer.from(pdf, "base64")));
  expect(totalPages).toBeGreaterThan(2);
  const text = await textOf(pdf);
  expect(text).toContain("third 30 $0.01");
  expect(text).toContain("Total payments $0.90");
});

/** The content of its pages and fonts, decompressed, and the names of its fonts. */
function readParts(pdf: string) {
  const text = Buffer.from(pdf, "base64").toString("latin1");
  const streams = [...text.matchAll(/FlateDecode\s*>>\s*stream\n([\s\S]*?)\nendstream/g)];
  return {
    fonts: new Set([...text.matchAll(/\/BaseFont \/\w+\+([\w-]+)/g)].map(([, name = ""]) => name)),
    pages: streams
      .map(([, packed = ""]) => inflateSync(Buffer.from(packed, "latin1")).toString("latin1"))
      .filter((content) => content.includes(" Tf\n")),
  };
}

/** Glyphs are two bytes each, and the first of every font is the box of what it lacks. */
function countBoxes(pages: readonly string[]): number {
  const shown = pages.flatMap((page) => page.match(/<(?:[0-9a-f]{4})+>(?= -?[\d.]+)/g) ?? []);
  expect(shown.length).toBeGreaterThan(20);
  return shown.filter((hex) => hex.match(/[0-9a-f]{4}/g)?.includes("0000")).length;
}

/** Of the strings of a PDF. */
function unescapeStrings(content: string): string {
  const written: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
  return content.replace(/\\(.)/gs, (_, character: string) => written[character] ?? character);
}

const writtenNames = {
  SC: "北京深度求索人工智能有限公司",
  TC: "臺灣陳屘製造股份有限公司",
  JP: "株式会社あおぞら（テスト）、髙﨑",
  KR: "주식회사 한빛전자",
  Thai: "บริษัท ปูนซิเมนต์ไทย จำกัด",
  Devanagari: "टर्नपाइक प्राइवेट लिमिटेड",
};

test("names in Chinese, Japanese, Korean, Thai and Hindi are drawn and copied, whatever is beside them", async () => {
  const names = Object.values(writtenNames);
  await writeSummer();
  for (const name of names) await move("2025-06-12T00:00:00Z", 1_000_000n, `${name} Ltd`);
  await api.owner.sql`update api_keys set name = ${`Łódź ${names.join(" ")}`}
    where id = ${laptop}`;
  await call("wallet.setCompany", { name: names[0], addressLines: names.slice(1), taxNumber: "" });
  const pdf = await pdfOf();
  const { fonts, pages } = readParts(pdf);
  expect(countBoxes(pages)).toBe(0);
  for (const script of Object.keys(writtenNames)) {
    expect([...fonts].some((font) => font.startsWith(`NotoSans${script}-`))).toBe(true);
  }
  const { Thai, Devanagari, ...copied } = writtenNames;
  const text = await textOf(pdf);
  for (const name of Object.values(copied)) expect(text).toContain(`${name} Ltd $0.001`);
  expect(text).toContain(Thai.slice(0, -"จำกัด".length));
  // Their glyphs are in another order than their letters, which are named beside them.
  for (const word of [...Devanagari.split(" "), "จำกัด"]) {
    const letters = Buffer.from(`\ufeff${word}`, "utf16le").swap16().toString("latin1");
    expect(unescapeStrings(pages.join(""))).toContain(letters);
  }
  expect(Buffer.from(pdf, "base64").length).toBeLessThan(150_000);
  expect(await pdfOf()).toBe(pdf);
});

test("a statement without such names has no font for them", async () => {
  await writeSummer();
  const { fonts, pages } = readParts(await pdfOf());
  expect([...fonts].toSorted()).toEqual(["DejaVuSans", "DejaVuSans-Bold"]);
  expect(countBoxes(pages)).toBe(0);
});
