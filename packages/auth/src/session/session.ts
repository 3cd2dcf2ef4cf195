// Who is signed in. Lucia decides when a session is valid and writes its cookie; the adapter stores
// only the SHA-256 of the token, so a stolen row is useless. The only file that uses Lucia.

import { type Membership, membershipsOf, viewsOf } from "@turnpike/accounts";
import { hashToken, type PersonId } from "@turnpike/base";
import {
  type Db,
  deleteInSlices,
  type FactorKind,
  type OperatorRole,
  operators,
  persons,
  sessions,
} from "@turnpike/db";
import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import { type Adapter, generateIdFromEntropySize, Lucia, TimeSpan } from "lucia";
import { factorKindsColumn } from "../factor/factor-list.ts";
import { recordPersonEvent } from "../person/person-event.ts";

export type SessionOptions = {
  /** Cookies only over https, under a name no other host or path can set. */
  readonly secure: boolean;
  /** A session unused for this long ends. */
  readonly idleMs: number;
  /** Every session ends after this long, however much it is used. */
  readonly absoluteMs: number;
};

type SessionFacts = {
  readonly publicId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly passwordAt: Date;
  readonly address: string;
  readonly userAgent: string;
  /** The provider that vouched for the person; null if they gave a password. */
  readonly provider: string | null;
};

/** How a person was admitted; absent, with their password, now. */
export type SessionOrigin = {
  readonly provider?: string;
  /** The address that the provider verified; empty if it verified none. */
  readonly email?: string;
  readonly provenAt?: Date | undefined;
};

type PersonFacts = {
  readonly email: string;
  readonly name: string;
  readonly timeZone: string;
  /** The kinds of second factor they have. */
  readonly factors: readonly FactorKind[];
  /** Null for those who do not operate this installation. */
  readonly operatorRole: OperatorRole | null;
  /** Their personal account first. */
  readonly accounts: readonly Membership[];
  /** What they look at as an operator. */
  readonly views: readonly Membership[];
};

declare module "lucia" {
  interface Register {
    Lucia: Lucia<SessionFacts, PersonFacts>;
    DatabaseSessionAttributes: SessionFacts;
    DatabaseUserAttributes: PersonFacts;
    UserId: PersonId;
  }
}

export type AuthenticatedSession = {
  readonly session: SessionFacts & { readonly token: string; readonly expiresAt: Date };
  readonly person: PersonFacts & { readonly id: PersonId };
};

export type OpenedSession = {
  readonly token: string;
  /** Value of the Set-Cookie header. */
  readonly setCookie: string;
};

export type Sessions = {
  /**
   * Opens a session, for a person who has just proved who they are: in the transaction `db` that holds the
   * person's lock, so that whatever ends their sessions either comes before it or ends this one.
   */
  readonly open: (
    db: Db,
    personId: PersonId,
    from: { readonly address: string; readonly userAgent: string } & SessionOrigin,
    /** It continues a session of the person instead of a sign-in. */
    how?: "renewed",
  ) => Promise<OpenedSession>;
  /** Of the token in a Cookie or Set-Cookie header, valid or not: as it is stored, in hex. Asks nobody. */
  readonly hashIn: (cookies: string | null) => string | undefined;
  /** Reads the Cookie header. Undefined for everyone who is not signed in. */
  readonly authenticate: (cookies: string | null) => Promise<AuthenticatedSession | undefined>;
  /** Ends the session; the value of the Set-Cookie header that removes the cookie. */
  readonly close: (token: string | undefined) => Promise<string>;
  readonly secure: boolean;
};

/** How outdated `last_seen_at` may be: not every request is worth a write. */
const touchEveryMs = 5 * 60_000;
const userAgentCharsMax = 400;

export function openSessions(db: Db, options: SessionOptions): Sessions {
  const lucia = openLucia(db, options);
  return {
    secure: options.secure,
    async open(tx, personId, from, how) {
      const { address, userAgent, provider = null, provenAt } = from;
      const now = new Date();
      const facts = {
        publicId: Bun.randomUUIDv7(),
        createdAt: now,
        lastSeenAt: now,
        // A provider may remember for long who signed in there.
        passwordAt: provenAt !== undefined && provenAt < now ? provenAt : now,
        address,
        userAgent: userAgent.slice(0, userAgentCharsMax),
        provider,
      };
      const sessionId = generateIdFromEntropySize(32);
      const session = await openLucia(tx, options).createSession(personId, facts, { sessionId });
      if (how !== "renewed") await recordPersonEvent(tx, personId, "sign_in", from);
      return {
        token: session.id,
        setCookie: lucia.createSessionCookie(session.id).serialize(),
      };
    },
    hashIn(cookies) {
      const token = parseCookie(cookies, lucia.sessionCookieName);
      return token === undefined ? undefined : Buffer.from(hashToken(token)).toString("hex");
    },
    async authenticate(cookies) {
      const token = parseCookie(cookies, lucia.sessionCookieName);
      if (token === undefined) return undefined;
      const { session, user } = await lucia.validateSession(token);
      if (session === null) return undefined;
      await touch(db, options, session);
      const { id, expiresAt, publicId, createdAt, lastSeenAt, passwordAt, address } = session;
      const { userAgent, provider } = session;
      const times = { createdAt, lastSeenAt, passwordAt, expiresAt };
      return {
        session: { ...times, publicId, address, userAgent, provider, token: id },
        person: user,
      };
    },
    async close(token) {
      if (token !== undefined) await lucia.invalidateSession(token);
      return lucia.createBlankSessionCookie().serialize();
    },
  };
}

function openLucia(db: Db, options: SessionOptions): Lucia<SessionFacts, PersonFacts> {
  return new Lucia<SessionFacts, PersonFacts>(openAdapter(db, options), {
    sessionExpiresIn: new TimeSpan(options.idleMs, "ms"),
    sessionCookie: {
      name: options.secure ? "__Host-turnpike_session" : "turnpike_session",
      // The cookie may outlive its session: the row decides, and moves without a new cookie.
      expires: false,
      attributes: { secure: options.secure, sameSite: "lax", path: "/" },
    },
    getSessionAttributes: (facts) => facts,
    getUserAttributes: (facts) => facts,
  });
}

type Touched = { readonly id: string; readonly createdAt: Date; readonly lastSeenAt: Date };

/** Records that the session is in use and extends it, up to the absolute lifetime. */
async function touch(db: Db, options: SessionOptions, session: Touched): Promise<void> {
  const now = Date.now();
  if (now - session.lastSeenAt.getTime() < touchEveryMs) return;
  const absoluteEnd = session.createdAt.getTime() + options.absoluteMs;
  await db
    .update(sessions)
    .set({
      lastSeenAt: new Date(now),
      expiresAt: new Date(Math.min(now + options.idleMs, absoluteEnd)),
    })
    .where(eq(sessions.hash, hashToken(session.id)));
}

function openAdapter(db: Db, { idleMs, absoluteMs }: SessionOptions): Adapter {
  const byToken = (token: string) => eq(sessions.hash, hashToken(token));
  return {
    async getSessionAndUser(token) {
      const [row] = await selectSession(db, token, new Date(Date.now() - absoluteMs));
      if (row === undefined) return [null, null];
      const { personId, expiresAt, person, ...attributes } = row;
      // Returns the raw token as the id: given the hash, Lucia would put that into the cookie.
      const session = { id: token, userId: personId, expiresAt, attributes };
      return [session, { id: personId, attributes: person }];
    },
    // A token cannot be recovered from its hash; `listSessions` reads the rows.
    getUserSessions: async () => [],
    async setSession({ id, userId, expiresAt, attributes }) {
      const absoluteEnd = attributes.createdAt.getTime() + absoluteMs;
      await db.insert(sessions).values({
        ...attributes,
        hash: hashToken(id),
        personId: userId,
        expiresAt: new Date(Math.min(expiresAt.getTime(), absoluteEnd)),
      });
    },
    async updateSessionExpiration(token, expiresAt) {
      // Within idleMs of the absolute end only `touch`, which knows that end, may move it.
      const youngEnough = new Date(Date.now() + idleMs - absoluteMs);
      await db
        .update(sessions)
        .set({ expiresAt })
        .where(and(byToken(token), gt(sessions.createdAt, youngEnough)));
    },
    async deleteSession(token) {
      await db.delete(sessions).where(byToken(token));
    },
    async deleteUserSessions(personId) {
      await db.delete(sessions).where(eq(sessions.personId, personId));
    },
    async deleteExpiredSessions() {
      await deleteInSlices(db, sessions, sql`${sessions.expiresAt} < now()`);
    },
  };
}

function selectSession(db: Db, token: string, createdAfter: Date) {
  return db
    .select({
      personId: sessions.personId,
      expiresAt: sessions.expiresAt,
      publicId: sessions.publicId,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      passwordAt: sessions.passwordAt,
      address: sessions.address,
      userAgent: sessions.userAgent,
      provider: sessions.provider,
      person: {
        email: persons.email,
        name: persons.name,
        timeZone: persons.timeZone,
        factors: factorKindsColumn(sql`${persons.id}`),
        operatorRole: operators.role,
        accounts: membershipsOf(sql`${persons.id}`),
        views: viewsOf(sql`${persons.id}`),
      },
    })
    .from(sessions)
    .innerJoin(persons, eq(persons.id, sessions.personId))
    .leftJoin(operators, eq(operators.personId, sessions.personId))
    .where(
      and(
        eq(sessions.hash, hashToken(token)),
        gt(sessions.createdAt, createdAfter),
        isNotNull(persons.emailVerifiedAt),
      ),
    )
    .limit(1);
}

/** One cookie of an untrusted Cookie header; one that cannot be decoded counts as missing. */
export function parseCookie(header: string | null, name: string): string | undefined {
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    if (at === -1 || part.slice(0, at).trim() !== name) continue;
    const value = part.slice(at + 1).trim();
    return /^[\w-]{1,128}$/.test(value) ? value : undefined;
  }
  return undefined;
}
