// Signs in whom a provider vouches for: the person the identity is linked to; else the person with the address that
// the provider verified, to whom it is linked now; else a new person with that address.

import {
  createAccount,
  findRequirement,
  findReservation,
  lockPerson,
  throttle,
} from "@turnpike/accounts";
import {
  cleanName,
  customerNetwork,
  Fault,
  type IdentityId,
  neighborhood,
  newId,
} from "@turnpike/base";
import { type Db, identities, persons } from "@turnpike/db";
import { nameCharsMax } from "@turnpike/terms";
import { and, eq, sql } from "drizzle-orm";
import type { Auth, Caller } from "../auth.ts";
import { mailReservation } from "../email-link/undo-link.ts";
import { claimUnproven } from "../person/claim-unproven.ts";
import { type FoundPerson, findPersonByEmail, findPersonById } from "../person/find-person.ts";
import { admit, type SignedIn } from "../session/open-session.ts";
import { announceLink } from "./announce-link.ts";
import type { Provider, Vouched } from "./provider.ts";
import { ProviderRefusal } from "./provider-refusal.ts";

/** Throws ProviderRefusal. */
export async function admitIdentity(
  db: Db,
  auth: Auth,
  caller: Caller,
  provider: Provider,
  vouched: Vouched,
): Promise<SignedIn> {
  const person =
    (await findOwner(db, vouched)) ??
    (await linkByAddress(db, auth, caller, provider, vouched)) ??
    (await register(db, auth, caller, provider, vouched));
  return db.transaction(async (tx) => {
    // Locked: whatever unlinks the identity or ends sessions comes before this, or ends this session too.
    await lockPerson(tx, person.id);
    const used = await tx
      .update(identities)
      .set({
        provider: provider.id,
        lastUsedAt: sql`now()`,
        ...(vouched.email !== undefined && { email: vouched.email }),
      })
      .where(and(isIdentity(vouched), eq(identities.personId, person.id)))
      .returning({ id: identities.id });
    if (used.length === 0) throw new ProviderRefusal("expired");
    const { email = "", authenticatedAt: provenAt } = vouched;
    return admit(tx, auth, caller, person, { provider: provider.id, email, provenAt });
  });
}

export function isIdentity({ issuer, subject }: Pick<Vouched, "issuer" | "subject">) {
  return and(eq(identities.issuer, issuer), eq(identities.subject, subject));
}

/** The person an identity is linked to. */
export async function findOwner(db: Db, vouched: Vouched): Promise<FoundPerson | undefined> {
  const [found] = await db
    .select({ personId: identities.personId })
    .from(identities)
    .where(isIdentity(vouched));
  return found && findPersonById(db, found.personId);
}

/** The address that may be linked: a provider that the domain refuses must not leave an identity behind. */
async function requireAddress(db: Db, { id }: Provider, { email }: Vouched): Promise<string> {
  if (email === undefined) throw new ProviderRefusal("unverified");
  const required = await findRequirement(db, email);
  if (required !== undefined && required.provider !== id) throw new ProviderRefusal("required");
  return email;
}

/** Undefined if nobody has the address. */
async function linkByAddress(
  db: Db,
  auth: Auth,
  caller: Caller,
  provider: Provider,
  vouched: Vouched,
): Promise<FoundPerson | undefined> {
  const email = await requireAddress(db, provider, vouched);
  return db.transaction(async (tx) => {
    await tx.select({ id: persons.id }).from(persons).where(eq(persons.email, email)).for("update");
    const person = await findPersonByEmail(tx, email);
    if (person === undefined) return undefined;
    const others = await tx
      .select({ subject: identities.subject })
      .from(identities)
      .where(and(eq(identities.personId, person.id), eq(identities.issuer, vouched.issuer)));
    // A concurrent sign-in linked it.
    if (others.some(({ subject }) => subject === vouched.subject)) return person;
    // The provider gave the address to someone else: it proves nothing about the account here.
    if (others.length > 0) throw new ProviderRefusal("other_subject");
    if (person.emailVerifiedAt === null) await claimUnproven(tx, person, { passwordHash: null });
    else await announceLink(tx, auth, caller, person, provider, email);
    await insertIdentity(tx, person, provider, { ...vouched, email });
    return person;
  });
}

export async function insertIdentity(
  tx: Db,
  person: Pick<FoundPerson, "id">,
  provider: Provider,
  { issuer, subject, email }: Vouched & { readonly email: string },
): Promise<void> {
  const id = newId<IdentityId>();
  const row = { id, personId: person.id, provider: provider.id, issuer, subject, email };
  await tx.insert(identities).values(row);
}

async function register(
  db: Db,
  auth: Auth,
  { address }: Caller,
  provider: Provider,
  vouched: Vouched,
): Promise<FoundPerson> {
  const email = await requireAddress(db, provider, vouched);
  const { throttles } = auth;
  try {
    await throttle(db, throttles.signUpPerAddress, `sign-up:address:${customerNetwork(address)}`);
    await throttle(db, throttles.signUpPerNetwork, `sign-up:network:${neighborhood(address)}`);
    await throttle(db, throttles.signUpInAll, "sign-up:all");
    const { personId } = await db.transaction(async (tx) => {
      const created = await createAccount(tx, { email });
      await tx
        .update(persons)
        .set({ emailVerifiedAt: sql`now()`, name: cleanName(vouched.name, nameCharsMax.person) })
        .where(eq(persons.id, created.personId));
      await insertIdentity(tx, { id: created.personId }, provider, { ...vouched, email });
      return created;
    });
    const person = await findPersonById(db, personId);
    if (person !== undefined) return person;
    throw new ProviderRefusal("expired");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === "throttled") throw new ProviderRefusal("throttled");
    if (error.code !== "conflict") throw error;
    const reserved = await findReservation(db, email);
    if (reserved !== undefined) await mailReservation(db, auth, reserved);
    // Without a reservation, a concurrent sign-in registered the person: the next attempt finds them.
    throw new ProviderRefusal(reserved === undefined ? "expired" : "reserved");
  }
}
