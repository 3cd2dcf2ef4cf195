// What the Security page shows about factors.
import type { PersonId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import type { Auth } from "../auth.ts";
import { type ListedFactor, queryFactors } from "./factor-list.ts";
import { findRecovery } from "./recover-factors.ts";
import { countRecoveryCodes } from "./recovery-codes.ts";

export type FactorOverview = {
  readonly factors: readonly ListedFactor[];
  readonly recoveryCodesLeft: number;
  /** Whether this server can keep the secret of an authenticator app. */
  readonly canAddTotp: boolean;
  /** When someone who says that all factors are lost may remove them; null where nobody does. */
  readonly recoveryReadyAt: Date | null;
};

export async function listFactors(db: Db, auth: Auth, personId: PersonId): Promise<FactorOverview> {
  return {
    factors: await queryFactors(db, personId),
    recoveryCodesLeft: await countRecoveryCodes(db, personId),
    canAddTotp: auth.sealer !== undefined,
    recoveryReadyAt: (await findRecovery(db, personId))?.readyAt ?? null,
  };
}
