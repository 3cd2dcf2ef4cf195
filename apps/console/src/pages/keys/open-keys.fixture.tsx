// The page of API keys in a test: an API with these keys, and a person using them.
import { screen } from "@solidjs/testing-library";
import { type Answers, openApp, type User } from "../../../test/open-app.fixture.tsx";

export const secret = "sk-tp-a-secret-that-is-shown-once";
const period = { spentUsd: "0", heldUsd: "0", limitUsd: null, resetsAt: null };
const noLimits = {
  spendLimitsUsd: { day: null, week: null, month: null, total: null },
  requestsPerMinute: null,
  tokensPerMinute: null,
  concurrency: null,
  allowedModels: null,
  allowedAddresses: null,
  expiresAt: null,
};
export const key = {
  id: "k1",
  name: "ci",
  masked: "sk-tp-9f2a…c41d",
  status: "active",
  createdAt: "2026-11-12T14:03:00Z",
  createdBy: "ada@example.com",
  lastUsedAt: null,
  expiresAt: null,
  previousUntil: null,
  limits: noLimits,
  spend: { day: period, week: period, month: period, total: period },
};

export function open(keys: readonly object[] = [key], answers: Answers = {}, address = "/keys") {
  let made = false;
  const fresh = { ...key, id: "k2", name: "production", masked: "sk-tp-a-se…once" };
  return openApp(address, {
    "models.list": () => ({ data: [{ id: "alpha-large" }] }),
    "keys.list": () => ({ data: made ? [fresh, ...keys] : keys }),
    "keys.create": () => {
      made = true;
      return { data: { id: "k2", key: secret } };
    },
    ...answers,
  });
}

/** An item of the menu of the key named `ci`. */
export async function choose(user: User, item: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for ci" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}
