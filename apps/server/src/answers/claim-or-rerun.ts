// Claims the name of a call under an `Idempotency-Key`, or says what is known under it. An answer that broke off is
// given only to calls that waited for it: later ones run again, and the answer stays known until one was charged.
import type { Sql } from "@turnpike/db";
import type { KeyedCall } from "./run-once.ts";
import { openAnswer, sealAnswer } from "./seal-answer.ts";
import {
  type AnswerClaim,
  type BrokenAnswer,
  type ClaimedAnswer,
  claimAnswer,
  claimBroken,
} from "./stored-answers.ts";

type Claimed = {
  /** The caller must run the call. */
  readonly state: "claimed";
  /** Was charged for an answer that broke off. */
  readonly rerunOf: BrokenAnswer | undefined;
};

export type FoundAnswer =
  | Claimed
  | Exclude<ClaimedAnswer, { readonly state: "claimed" | "kept_earlier" }>;

export async function claimOrRerun(
  sql: Sql,
  { apiKey }: Pick<KeyedCall, "apiKey">,
  claim: AnswerClaim,
): Promise<FoundAnswer> {
  const found = await claimAnswer(sql, claim);
  if (found.state === "claimed")
    return { state: "claimed", rerunOf: brokenOf(apiKey, claim, found) };
  if (found.state !== "kept_earlier") return found;
  const { isBroken } = openAnswer(apiKey, claim.id, found.sealed);
  if (isBroken !== true) return { ...found, state: "kept" };
  return (await claimBroken(sql, claim, found.generationId))
    ? { state: "claimed", rerunOf: found }
    : { state: "running" };
}

/** Before every call that may ask for it. */
const finishedAt = "-infinity";

/** What a process that died left: a call that was charged without an answer, or a rerun that was not charged. */
function brokenOf(
  apiKey: string,
  { id }: AnswerClaim,
  { chargedId, sealed }: Extract<ClaimedAnswer, { readonly state: "claimed" }>,
): BrokenAnswer | undefined {
  if (chargedId !== undefined) {
    const lost = { headers: {}, body: "", isBroken: true, generationId: chargedId };
    return { generationId: chargedId, sealed: sealAnswer(apiKey, id, lost), finishedAt };
  }
  if (sealed === undefined) return undefined;
  const { generationId } = openAnswer(apiKey, id, sealed);
  return generationId && { generationId, sealed, finishedAt };
}
