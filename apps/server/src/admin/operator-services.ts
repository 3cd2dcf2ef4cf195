// What the verbs of the desk need, for one command: each part is opened when a verb first uses it.
import { openAuth, throttleLimits } from "@turnpike/auth";
import { type Billing, createBilling } from "@turnpike/billing";
import { recallLeases } from "@turnpike/ledger";
import type { OperatorServices } from "@turnpike/operator";
import { createLog } from "@turnpike/telemetry";
import { ledgerProverOf } from "../ledger-keys-of.ts";
import { sealerOf } from "../sealer-of.ts";
import type { AdminContext } from "./command.ts";
import { createCatalogFiles } from "./create-catalog-files.ts";
import { deliverFiles } from "./deliver-files.ts";

type Places = {
  /** Instead of CATALOG_FILE. */
  readonly catalogPath: string | undefined;
  /** Where files are written: by default where the command runs. */
  readonly folder: string | undefined;
};

export function operatorServicesOf(
  context: AdminContext,
  { catalogPath, folder = "." }: Places,
): OperatorServices {
  const { config, db, ownerDb } = context;
  return {
    get db() {
      return db();
    },
    get ownerDb() {
      return ownerDb();
    },
    get auth() {
      return openAuth(db(), {
        publicUrl: config.PUBLIC_URL,
        productName: "Turnpike",
        passwordCharsMin: 1,
        sealer: sealerOf(config),
      });
    },
    get billing() {
      return createOperatorBilling(context);
    },
    catalogFiles: createCatalogFiles(context, catalogPath),
    delivery: deliverFiles(context, folder),
  };
}

/** Counts nothing and logs nothing: the command's report contains the result. */
function createOperatorBilling({ config, db, ownerUrl }: AdminContext): Billing {
  const log = createLog({ level: "silent", name: "turnpike admin" });
  return createBilling({
    stripe: config.stripe,
    allowSandbox: false,
    publicUrl: config.PUBLIC_URL,
    bounds: config.topUpBounds,
    proveMovement: ledgerProverOf(config),
    throttles: throttleLimits,
    recallLeases: (accountId) => recallLeases({ db: db(), directUrl: ownerUrl(), log }, accountId),
    log,
    meters: {
      countTopUp: () => undefined,
      countQuarantined: () => undefined,
      countDeadEvent: () => undefined,
    },
  });
}
