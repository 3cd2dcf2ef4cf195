// What operators are shown of an instance contains no secret, whatever the environment holds.
import { expect, test } from "bun:test";
import { readConfig } from "./config.ts";
import { describeInstance } from "./describe-instance.ts";

const secrets = {
  SEALING_KEY: "sealing-0123456789-0123456789-0123456789",
  STRIPE_SECRET_KEY: "sk_test_0123456789abcdef0123",
  STRIPE_WEBHOOK_SECRET: "whsec_0123456789abcdef0123",
  GITHUB_CLIENT_SECRET: "github-0123456789",
  METRICS_TOKEN: "metrics-0123456789",
  OBJECTS_S3_ACCESS_KEY_ID: "id-of-bucket-0123456789",
  OBJECTS_S3_SECRET_ACCESS_KEY: "secret-of-bucket-0123456789",
};

const config = readConfig({
  ...secrets,
  DATABASE_URL: "postgres://app:database-password@db.example:5433/turnpike?sslmode=require",
  SMTP_URL: "smtps://mailer:mail-password@mail.example:465",
  GITHUB_CLIENT_ID: "Iv1.0123456789",
  TRUSTED_PROXIES: "10.0.0.0/8",
  OPENAI_API_KEY: "sk-openai-0123456789",
  SUPPORT_EMAIL: "help@example.com",
  OBJECTS_S3_BUCKET: "turnpike-files",
  OBJECTS_S3_REGION: "eu-central-1",
});

test("settings are shown by name, addresses without credentials, and of a secret only that it is set", () => {
  const described = describeInstance(config, 2);
  const text = JSON.stringify(described);
  for (const secret of [...Object.values(secrets), "password", "openai-0123", "sslmode"]) {
    expect(text).not.toContain(secret);
  }
  expect(described.worker).toBe(2);
  expect(described.settings).toMatchObject({
    DATABASE_URL: "postgres://db.example:5433/turnpike",
    SMTP_URL: "smtps://mail.example:465",
    SEALING_KEY: "set",
    STRIPE_SECRET_KEY: "set",
    GOOGLE_CLIENT_SECRET: "",
    TRUSTED_PROXIES: "10.0.0.0/8",
    SUPPORT_EMAIL: "help@example.com",
    SETTLE_WAIT_MS: "30000",
    OBJECTS_S3_BUCKET: "turnpike-files",
    OBJECTS_S3_SECRET_ACCESS_KEY: "set",
  });
});

test("a feature says whether it is on, and what would switch it on", () => {
  const { features } = describeInstance(config, undefined);
  const featureOf = (wanted: string) => features.find(({ name }) => name === wanted);
  expect(featureOf("card payments")).toMatchObject({ isOn: true, detail: "Stripe in test mode" });
  expect(featureOf("sign-in elsewhere")).toMatchObject({ isOn: true, detail: "GitHub" });
  expect(featureOf("files and stored responses")).toMatchObject({
    isOn: true,
    detail: "in OBJECTS_S3_BUCKET, sealed with SEALING_KEY",
  });
  expect(featureOf("places of sign-ins")).toMatchObject({ isOn: false, detail: "set GEO_FILE" });
});
