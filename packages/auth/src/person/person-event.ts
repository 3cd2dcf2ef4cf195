// The log of what happened to a person's sign-in: written in the transaction that does it, read by that person.
import type { PersonId } from "@turnpike/base";
import { type Db, type PersonEventKind, personEvents } from "@turnpike/db";
import { and, desc, eq, lt } from "drizzle-orm";
import { describeDevice } from "../session/describe-device.ts";

type Client = { readonly address: string; readonly userAgent: string };

const userAgentCharsMax = 400;

export async function recordPersonEvent(
  tx: Db,
  personId: PersonId,
  kind: PersonEventKind,
  { address, userAgent }: Client,
): Promise<void> {
  await tx
    .insert(personEvents)
    .values({ personId, kind, address, userAgent: userAgent.slice(0, userAgentCharsMax) });
}

export type PersonEventPage = {
  readonly rows: readonly {
    readonly id: bigint;
    readonly at: Date;
    readonly kind: PersonEventKind;
    readonly address: string;
    readonly device: string;
  }[];
  readonly nextCursor: bigint | null;
};

const pageSize = 20;

/** Newest first. */
export async function listPersonEvents(
  db: Db,
  personId: PersonId,
  cursor?: bigint,
): Promise<PersonEventPage> {
  const found = await db
    .select({
      id: personEvents.id,
      at: personEvents.at,
      kind: personEvents.kind,
      address: personEvents.address,
      userAgent: personEvents.userAgent,
    })
    .from(personEvents)
    .where(
      and(
        eq(personEvents.personId, personId),
        cursor === undefined ? undefined : lt(personEvents.id, cursor),
      ),
    )
    .orderBy(desc(personEvents.id))
    .limit(pageSize + 1);
  const rows = found.slice(0, pageSize).map(({ userAgent, ...row }) => {
    return { ...row, device: describeDevice(userAgent) };
  });
  return { rows, nextCursor: found.length > pageSize ? (rows.at(-1)?.id ?? null) : null };
}
