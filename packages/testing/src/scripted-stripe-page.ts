// The payment page: Stripe Checkout as far as a test needs it, without JavaScript.

import type { Session } from "./scripted-stripe-objects.ts";
import type { StripePayments } from "./scripted-stripe-payments.ts";

const actions = {
  pay: "Pay",
  "pay-later": "Pay by bank",
  decline: "Pay with a declined card",
  cancel: "Back",
} as const;

/** `action` is what the form sent, undefined for the first view. */
export function answerPayPage(
  session: Session | undefined,
  payments: StripePayments,
  action: string | undefined,
): Response {
  if (session === undefined) return new Response("There is no such checkout.", { status: 404 });
  if (action === undefined) return page(session, "");
  if (action === "cancel") return Response.redirect(session.cancel_url ?? session.success_url, 303);
  if (session.status !== "open") return page(session, "This checkout has ended.");
  if (action === "decline") return page(session, "Your card was declined.");
  if (action === "pay-later") payments.payLater(session.id);
  else payments.pay(session.id);
  return Response.redirect(session.success_url, 303);
}

function page(session: Session, note: string): Response {
  const dollars = (session.amount_total / 100).toFixed(2);
  const buttons = Object.entries(actions).map(
    ([name, label]) => `<button name="action" value="${name}">${label}</button>`,
  );
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Scripted Stripe Checkout</title>
<h1>Pay $${dollars}</h1>
<p role="alert">${note}</p>
<form method="post">${buttons.join("\n")}</form>
</html>`;
  return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
}
