// The page that replaces Stripe Checkout if there is no Stripe: it says prominently that no
// money moves. It exists only if SANDBOX is on, and never together with Stripe.
import { queryAccountPath } from "@turnpike/accounts";
import { Fault, parseId, type TopUpId } from "@turnpike/base";
import {
  type Billing,
  declineSandboxTopUp,
  paySandboxTopUp,
  requireSandboxOrder,
} from "@turnpike/billing";
import { formatUsd } from "@turnpike/terms";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerFault, newCallIds } from "../answers/answer-fault.ts";
import { assertOwnPage, ownOrigins } from "../callers/assert-same-site.ts";
import { readBodyOfAnyType } from "../requests/read-body.ts";

type SandboxOrder = Awaited<ReturnType<typeof requireSandboxOrder>>;

const path = "/dev/checkout/";
const formMaxBytes = 1_024;

export function registerSandboxCheckout(
  app: Pick<Elysia, "get" | "post">,
  services: Services,
): void {
  const { billing, config } = services;
  if (billing.mode !== "sandbox" || !config.SANDBOX) return;
  const answer = async (act: () => Promise<Response>) => {
    try {
      return await act();
    } catch (thrown) {
      return answerFault(services, newCallIds(), thrown);
    }
  };
  app.get(`${path}*`, ({ request }: { request: Request }) =>
    answer(async () => {
      const order = await findOrder(services, request);
      return showPage(order, await pathOf(services, order));
    }),
  );
  app.post(
    `${path}*`,
    ({ request }: { request: Request }) =>
      answer(async () => {
        assertOwnPage(request, ownOrigins(config, new URL(request.url)));
        const order = await findOrder(services, request);
        return act(services, billing, order, await readAction(request));
      }),
    { parse: "none" },
  );
}

function findOrder({ billing, billingDatabase }: Services, request: Request) {
  const id = parseId<TopUpId>(new URL(request.url).pathname.slice(path.length));
  return requireSandboxOrder(billingDatabase.db, billing, id);
}

async function readAction(request: Request): Promise<string | null> {
  const form = await readBodyOfAnyType(request, formMaxBytes);
  return new URLSearchParams(form).get("action");
}

async function act(
  services: Services,
  billing: Billing,
  order: SandboxOrder,
  action: string | null,
): Promise<Response> {
  const { db } = services.billingDatabase;
  const { id } = order;
  const returnTo = await pathOf(services, order);
  if (action === "cancel") return redirect(`${returnTo}?canceled=1`);
  if (action === "pay") await paySandboxTopUp(db, billing, id);
  else if (action === "decline") await declineSandboxTopUp(db, billing, id);
  else throw new Fault("invalid_value", "Unknown action.", { param: "action" });
  return redirect(returnTo);
}

/** Of the order's page in the console. */
async function pathOf({ billingDatabase }: Services, order: SandboxOrder): Promise<string> {
  return `${await queryAccountPath(billingDatabase.db, order.accountId)}/wallet/top-ups/${order.id}`;
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}

/** `returnTo` is where a checkout that has ended leads. */
function showPage(order: SandboxOrder, returnTo: string): Response {
  const overNote = `<p>This checkout has ended. <a href="${returnTo}">Back to the wallet</a></p>`;
  const body = order.state === "pending" ? payForm(order) : overNote;
  return new Response(layOutPage(body), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

function payForm({ amountNanos }: SandboxOrder): string {
  const [dollars, cents = ""] = formatUsd(amountNanos).split(".");
  return `<p class="amount">$${dollars}.${cents.padEnd(2, "0")}</p>
<form method="post">
<button class="pay" name="action" value="pay">Pay</button>
<button name="action" value="decline">Decline</button>
<button name="action" value="cancel">Cancel</button>
</form>`;
}

function layOutPage(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox checkout</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 420px; margin: 48px auto; padding: 0 16px; }
  .note { border: 2px dashed #b7791f; border-radius: 10px; padding: 12px 16px; }
  .amount { font-size: 40px; font-weight: 600; margin: 24px 0; }
  form { display: grid; gap: 10px; }
  button { font: inherit; padding: 12px; border-radius: 8px; border: 1px solid #8888; cursor: pointer; }
  .pay { background: #0f766e; border-color: #0f766e; color: #fff; }
</style>
</head>
<body>
<h1>Sandbox checkout</h1>
<p class="note"><strong>No money moves here.</strong> This page stands in for Stripe in development.
Set <code>STRIPE_SECRET_KEY</code> to take real payments.</p>
${body}
</body>
</html>
`;
}
