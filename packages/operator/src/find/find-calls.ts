// One call by its id, whose account is not known: the id begins with its time, which names the partition and, by the
// index of their order, the few pages where it is.
import { formatGenerationId, type GenerationId } from "@turnpike/base";
import { type Db, requests } from "@turnpike/db";
import { formatCost, formatUtc } from "@turnpike/format";
import { formatUsd } from "@turnpike/terms";
import { and, eq, gte, lt, type SQL } from "drizzle-orm";
import type { Found } from "./found.ts";

/** Both ids of a call are made at once; the slack is for a pause of the process in between. */
const slackMs = 2_000;

export function findCallById(db: Db, id: GenerationId): Promise<readonly Found[]> {
  return selectCall(db, eq(requests.id, id));
}

/** `req_` and a UUIDv7. */
export function findCallByRequestId(db: Db, requestId: string): Promise<readonly Found[]> {
  const madeMs = Number.parseInt(requestId.slice(4, 16), 16);
  return selectCall(
    db,
    and(
      gte(requests.id, firstIdAt(madeMs - slackMs)),
      lt(requests.id, firstIdAt(madeMs + slackMs)),
      eq(requests.requestId, requestId),
    ),
  );
}

/** Guarantees only that ids made at that time or later are not smaller. */
function firstIdAt(ms: number): GenerationId {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000` as GenerationId;
}

async function selectCall(db: Db, which: SQL | undefined): Promise<readonly Found[]> {
  const rows = await db
    .select({
      id: requests.id,
      accountId: requests.accountId,
      model: requests.model,
      status: requests.status,
      chargedNanos: requests.chargedNanos,
      placedAt: requests.placedAt,
    })
    .from(requests)
    .where(which)
    .limit(1);
  return rows.map(({ id, accountId, model, status, chargedNanos, placedAt }) => ({
    kind: "call",
    id: formatGenerationId(id),
    accountId,
    title: formatGenerationId(id),
    detail: `${model}, ${status}, ${formatCost(formatUsd(chargedNanos))}, ${formatUtc(placedAt)}`,
  }));
}
