// What the configuration of payments refuses, and what it never opens.
import { expect, test } from "bun:test";
import { connectDatabase } from "@turnpike/db";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { ConfigError, readConfig } from "./config.ts";
import { createServerBilling } from "./create-billing.ts";

const secretKey = "sk_test_0123456789abcdefABCD";
const webhookSecret = "whsec_0123456789abcdefABCD";
const base = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
const production = {
  ...base,
  NODE_ENV: "production",
  PUBLIC_URL: "https://turnpike.example",
  BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
};

function mistakesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

test.each([
  ["an invalid key", { STRIPE_SECRET_KEY: "pk_test_0123456789abcdefABCD" }],
  ["a key without its webhook secret", { STRIPE_SECRET_KEY: secretKey }],
  ["a webhook secret without its key", { STRIPE_WEBHOOK_SECRET: webhookSecret }],
  ["a webhook secret that is short", { STRIPE_WEBHOOK_SECRET: "whsec_short" }],
  ["an invalid webhook secret", { STRIPE_WEBHOOK_SECRET: `${webhookSecret},secret12345678901234` }],
  ["an empty second secret", { STRIPE_WEBHOOK_SECRET: `${webhookSecret},` }],
  ["bounds upside down", { MIN_TOP_UP_USD: "50", MAX_TOP_UP_USD: "10" }],
  ["a minimum that Stripe does not accept", { MIN_TOP_UP_USD: "0.49" }],
  ["a maximum that is not an amount", { MAX_TOP_UP_USD: "1e3" }],
])("%s stops the start, and no secret is printed", (_, variables) => {
  const mistakes = mistakesOf({ ...base, ...variables });
  expect(mistakes).not.toEqual([]);
  expect(mistakes.join("\n")).not.toContain("0123456789abcdef");
});

test("a scripted Stripe cannot be used in production", () => {
  const stripe = { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
  expect(mistakesOf({ ...production, ...stripe })).toEqual([]);
  expect(mistakesOf({ ...production, ...stripe, STRIPE_API_BASE: "http://127.0.0.1:1" })).toEqual([
    "STRIPE_API_BASE: exists for tests only; unset it.",
  ]);
});

test("both secrets are read while one is rolled", () => {
  const { stripe } = readConfig({
    ...base,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: `${webhookSecret},whsec_another0123456789`,
  });
  expect(stripe?.webhookSecrets).toEqual([webhookSecret, "whsec_another0123456789"]);
});

test("without Stripe there is a sandbox if SANDBOX is on, and otherwise no top-up, which is logged", () => {
  expect(openAndRead({ ...base, SANDBOX: "true" })).toEqual(["sandbox", ""]);
  for (const environment of [base, production]) {
    const [mode, logged] = openAndRead(environment);
    expect(mode).toBe("none");
    expect(logged).toContain("no one can add funds");
  }
});

test("production logs that Stripe is in test mode, and nothing for a live key or in development", () => {
  const stripe = { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
  const live = { ...stripe, STRIPE_SECRET_KEY: secretKey.replace("_test_", "_live_") };
  const [mode, logged] = openAndRead({ ...production, ...stripe });
  expect(mode).toBe("stripe");
  expect(logged).toContain("Stripe is in test mode");
  expect(openAndRead({ ...production, ...live })).toEqual(["stripe", ""]);
  expect(openAndRead({ ...base, ...stripe })).toEqual(["stripe", ""]);
});

/** The mode of billing, and what opening it logged. */
function openAndRead(environment: Record<string, string>): readonly [mode: string, logged: string] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: "info", name: "test", destination });
  const metrics = createMetrics();
  // Never connected.
  const { db } = connectDatabase({ url: base.DATABASE_URL, max: 1 });
  const { mode } = createServerBilling(readConfig(environment), { db, log, metrics });
  metrics.close();
  return [mode, lines.join("")];
}
