// The samples of the procedures of budgets and guardrails, for the test that walks the router.
import type { Sample } from "./walk-sample.fixture.ts";

const timeZone = "Europe/Vienna";

export const limitSamples: Readonly<Record<string, Sample>> = {
  "budgets.list": {},
  "budgets.set": {
    input: ({ projectId }) => ({
      kind: "project",
      subjectId: projectId,
      period: "month",
      limitUsd: "10",
      hard: true,
    }),
    ids: { subjectId: "owned" },
  },
  "budgets.remove": { input: ({ budgetId: id }) => ({ id }), ids: { id: "owned" } },
  "budgets.setTimeZone": { input: () => ({ timeZone }) },

  "guardrails.list": {},
  "guardrails.set": {
    input: ({ keyId }) => ({
      kind: "key",
      subjectId: keyId,
      rules: {
        allowedModels: ["local/*"],
        allowedProviders: ["local"],
        maxInputUsdPerMillion: "1.5",
        maxOutputUsdPerMillion: "6",
        maxCallUsd: "0.05",
        denyTraining: true,
        denyRetention: true,
        allowedAddresses: ["203.0.113.0/24"],
        allowedHours: { days: ["mon", "fri"], from: "08:00", until: "18:00" },
      },
    }),
    risky: ({ keyId }) => ({
      kind: "key",
      subjectId: keyId,
      rules: { denyTraining: true },
    }),
    ids: { subjectId: "owned" },
    stepUp: "sometimes",
  },
  "guardrails.remove": {
    input: ({ guardrailId: id }) => ({ id }),
    ids: { id: "owned" },
    stepUp: "always",
  },
};
