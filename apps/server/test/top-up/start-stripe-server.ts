// The real server with a scripted Stripe, and a top-up that waits for its payer.
import { newId, type TopUpId } from "@turnpike/base";
import { createTopUp } from "@turnpike/billing";
import { type ScriptedStripe, startScriptedStripe } from "@turnpike/testing";
import type { ServerTimes } from "../../src/server-times.ts";
import {
  openAccount,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";

export type StripeServer = TestServer & {
  readonly stripe: ScriptedStripe;
  readonly webhookUrl: string;
  readonly begin: (account: TestAccount, amountUsd: string) => Promise<BegunTopUp>;
};

export type BegunTopUp = { readonly topUpId: TopUpId; readonly sessionId: string };

/**
 * Its inbox is processed every 20 ms; both arguments are added to the server's. The reconciliation at
 * its start is over, so a payment without an event stays unknown until the next one.
 */
export async function startStripeServer(
  environment: Readonly<Record<string, string>> = {},
  serverTimes: Partial<ServerTimes> = {},
): Promise<StripeServer> {
  const stripe = await startScriptedStripe();
  const server = await startTestServer({
    environment: {
      ...stripe.environment,
      THROTTLE_SCALE: "1000",
      ...environment,
    },
    serverTimes: { workInboxEveryMs: 20, ...serverTimes },
  });
  await waitForReconciliation(server);
  return {
    ...server,
    stripe,
    webhookUrl: `${server.url}/stripe/webhook`,
    async begin(account, amountUsd) {
      const topUpId = newId<TopUpId>();
      const { checkoutUrl } = await createTopUp(server.owner.db, server.services.billing, {
        attemptId: topUpId,
        accountId: account.id,
        personId: account.personId,
        amountUsd,
      });
      return { topUpId, sessionId: checkoutUrl.split("/").at(-1) ?? "" };
    },
    async close() {
      await server.close();
      await stripe.close();
    },
  };
}

export const openPoorAccount = (server: TestServer) => openAccount(server, { usd: "0" });

const waitMs = 60_000;

async function waitForReconciliation({ owner }: TestServer): Promise<void> {
  const deadline = performance.now() + waitMs;
  while (performance.now() < deadline) {
    const [run] = await owner.sql`
      select from job_runs where name = 'reconcile' and finished_at is not null`;
    if (run !== undefined) return;
    await Bun.sleep(5);
  }
  throw new Error("the reconciliation at the start did not end");
}
