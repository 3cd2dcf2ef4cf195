// Customers at Stripe: one that it no longer knows, because somebody deleted it or it was made with the keys of
// another mode, is distinguished from other refusals of Stripe.

import type { StripeApi } from "./stripe-api.ts";
import { Stripe } from "./stripe-sdk.ts";

export function createCustomers(
  stripe: Stripe,
): Pick<StripeApi, "createCustomer" | "setCustomerEmail"> {
  return {
    async createCustomer({ accountId, email, missing }) {
      // Within a day, the key of the first one would bring back the customer that is missing.
      const idempotencyKey = ["customer", accountId, ...(missing === null ? [] : [missing])];
      const customer = await stripe.customers.create(
        { metadata: { account_id: accountId }, ...(email !== undefined && { email }) },
        { idempotencyKey: idempotencyKey.join(":") },
      );
      return customer.id;
    },
    async setCustomerEmail(customerId, email) {
      try {
        await stripe.customers.update(customerId, { email });
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  };
}

export function isMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing"
  );
}
