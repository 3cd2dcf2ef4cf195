// A separate database with people and their accounts, for tests: generous limits unless a test sets its own, and the
// queued mails, because links can be read only in the outbox.

import { Fault, type PersonId } from "@turnpike/base";
import { type Connection, connectDatabase, persons } from "@turnpike/db";
import { listMails, type MailKind, type MailMessage } from "@turnpike/mail";
import { createTestDatabase, patientLimits, type TestDatabase } from "@turnpike/testing";
import { eq, sql } from "drizzle-orm";
import type { AccountContext } from "./account-context.ts";
import { openResolver } from "./domain/resolve-txt.ts";
import type { Member } from "./member/actor.ts";
import {
  chooseAccount,
  type Membership,
  membershipsOf,
  requireAccount,
} from "./member/membership.ts";
import { createAccount } from "./person/create-account.ts";
import { accountLimits, scaleAccountLimits } from "./throttle/account-limits.ts";

export type TestPerson = {
  readonly email: string;
  readonly person: { readonly id: PersonId; readonly email: string };
  /** Their personal one. */
  readonly account: Membership;
};

export type TestAccounts = Connection & {
  readonly context: AccountContext;
  readonly database: TestDatabase;
  /** Connected as the owner of the tables, who may change what the server's role may not. */
  readonly owner: Connection;
  /** Messages queued for an address, newest first. */
  readonly mailsTo: (email: string) => Promise<readonly MailMessage[]>;
  /** The token in the newest mail of that kind. */
  readonly tokenTo: (email: string, kind: MailKind) => Promise<string>;
  /** A person with a proven address. */
  readonly signUp: (email?: string) => Promise<TestPerson>;
  /** The person in the account, as their next request has it. Throws `not_found`. */
  readonly memberOf: (one: TestPerson, slug: string) => Promise<Member>;
};

export const testAddress = "203.0.113.80";

export async function openTestAccounts(): Promise<TestAccounts> {
  const database = await createTestDatabase();
  const connection = connectDatabase({ url: database.url, ...patientLimits });
  const owner = connectDatabase({ url: database.ownerUrl, max: 1, ...patientLimits });
  const { db } = connection;
  const context = {
    publicUrl: "http://console.test",
    throttles: scaleAccountLimits(accountLimits, 1_000),
    resolveTxt: openResolver([]),
  };
  const mailsTo = async (email: string) => {
    const rows = await listMails(db, { recipient: email, limit: 1_000 });
    return rows.map(({ message }) => message);
  };
  const tokenTo = async (email: string, kind: MailKind) => {
    const mail = (await mailsTo(email)).find((message) => message.kind === kind);
    if (mail === undefined || !("link" in mail)) throw new Error(`No mail ${kind} to ${email}.`);
    const token = new URL(mail.link).searchParams.get("token");
    if (token === null) throw new Error(`No token in ${mail.link}.`);
    return token;
  };
  const accountsOf = async (personId: PersonId) => {
    const [row] = await db.execute<{ accounts: readonly Membership[] }>(
      sql`select ${membershipsOf(sql`${personId}`)} as accounts`,
    );
    return { accounts: row?.accounts ?? [] };
  };
  let people = 0;
  const signUp = async (wanted?: string) => {
    people += 1;
    const email = wanted ?? `person-${people}@example.com`;
    const { personId: id } = await createAccount(db, { email });
    await db.update(persons).set({ emailVerifiedAt: sql`now()` }).where(eq(persons.id, id));
    const [account] = (await accountsOf(id)).accounts;
    if (account === undefined) throw new Error("The new person has no account.");
    return { email, person: { id, email }, account };
  };
  const memberOf = async ({ person }: TestPerson, slug: string) => {
    const account = await chooseAccount(db, await accountsOf(person.id), slug);
    return { person, address: testAddress, account: requireAccount(account) };
  };
  const close = async () => {
    await connection.close();
    await owner.close();
    await database.drop();
  };
  return { ...connection, close, context, database, owner, mailsTo, tokenTo, signUp, memberOf };
}

/** The code of the Fault a promise rejects with, or what happened instead. */
export async function faultCodeOf(promise: Promise<unknown>): Promise<string> {
  const fault = await faultIn(promise);
  return fault?.code ?? "no fault";
}

export async function faultIn(promise: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}
