// One sample input per procedure, for the test that walks the router: a valid input, which fields
// name something that belongs to an account, and who may call it. A procedure without a row fails there.

import { limitSamples } from "./walk-limit-samples.fixture.ts";
import { memberSamples } from "./walk-member-samples.fixture.ts";
import type { Sample } from "./walk-sample.fixture.ts";
import { webhookSamples } from "./walk-webhook-samples.fixture.ts";

const owned = { id: "owned" } as const;
const proven = { ids: owned, stepUp: "always" } as const;
const timeZone = "Europe/Vienna";
const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z", timeZone };
const email = "walker@example.com";
const password = "correct horse battery staple";
const token = "no-such-token";

const another: Sample = {
  input: ({ personId }) => ({ personId }),
  ids: { personId: "owned" },
};

export const samples: Readonly<Record<string, Sample>> = {
  "accounts.create": { input: () => ({ name: "Walkers" }) },
  "accounts.read": {},
  "accounts.change": { input: () => ({ name: "Walkers" }) },
  "accounts.limits": {},
  "accounts.setLimits": { input: () => ({ requestsPerMinute: 100, concurrency: null }) },
  "accounts.leakedKeys": {},
  "accounts.setLeakedKeys": { input: () => ({ revokes: false }), stepUp: "always" },
  "accounts.close": { input: () => ({ name: "Another name" }), stepUp: "always" },
  "accounts.requireFactors": { input: () => ({ from: range.to }), stepUp: "always" },
  "accounts.leave": {},
  "accounts.offerOwnership": { ...another, stepUp: "always" },
  "accounts.withdrawOwnership": another,
  "accounts.answerOwnership": { input: () => ({ accept: false }) },

  "audit.list": {
    input: ({ personId, keyId }) => ({ personId, objectId: keyId, action: "key" }),
    ids: { personId: "filter", objectId: "filter" },
  },
  "audit.csv": {
    input: ({ personId, keyId }) => ({ personId, objectId: keyId, action: "key" }),
    ids: { personId: "filter", objectId: "filter" },
  },
  "audit.retention": {},
  "audit.setRetention": { input: () => ({ days: 365 }), stepUp: "always" },

  "auth.me": { public: true },
  "auth.register": { public: true, input: () => ({ email, password }) },
  "auth.resendVerification": { public: true, input: () => ({ email }) },
  "auth.verifyHere": { public: true, input: () => ({ token }) },
  "auth.verifyEmail": { public: true, input: () => ({ token, password }) },
  "auth.verifyWithNewPassword": { public: true, input: () => ({ token, password }) },
  "auth.login": { public: true, input: () => ({ email, password }) },
  "auth.startAtProvider": { public: true, input: () => ({ provider: "nobody" }) },
  "auth.loginFactor": {
    public: true,
    input: () => ({ challenge: token, proof: { method: "totp", code: "000000" } }),
  },
  "auth.requestRecovery": { public: true, input: () => ({ challenge: token }) },
  "auth.cancelRecovery": { public: true, input: () => ({ token }) },
  "auth.finishRecovery": { public: true, input: () => ({ token, password }) },
  "auth.askPasskey": { public: true, input: () => ({}) },
  "auth.loginPasskey": { public: true, input: () => ({ credential: "{}" }) },
  "auth.logout": { public: true },
  "auth.forgotPassword": { public: true, input: () => ({ email }) },
  "auth.resetPassword": { public: true, input: () => ({ token, password }) },
  "auth.confirmEmailChange": { public: true, input: () => ({ token, password }) },
  "auth.undoChange": { public: true, input: () => ({ token }) },
  "auth.requestUnlock": { public: true, input: () => ({ email }) },
  "auth.unlockBrowser": { public: true, input: () => ({ token }) },
  "auth.stepUp": { input: () => ({ method: "password", password: "not my password" }) },

  "batches.list": { input: ({ batchId: cursor }) => ({ cursor }) },
  "batches.cancel": { input: ({ batchId: id }) => ({ id }), ids: owned },

  "config.public": { public: true },

  "conversations.list": {},
  "conversations.read": { input: ({ conversationId: id }) => ({ id }), ids: owned },
  "conversations.share": { input: () => ({ title: "Walk", content: "{}" }) },
  "conversations.remove": { input: ({ conversationId: id }) => ({ id }), ids: owned },

  "factors.list": {},
  "factors.beginTotp": { stepUp: "always" },
  "factors.confirmTotp": {
    input: ({ begunFactorId: id }) => ({ id, name: "Phone", code: "000000" }),
    ids: owned,
    stepUp: "always",
  },
  "factors.beginPasskey": { stepUp: "always" },
  "factors.addPasskey": {
    input: () => ({ name: "Laptop", credential: "{}" }),
    stepUp: "always",
  },
  "factors.ask": {},
  "factors.rename": { input: ({ factorId: id }) => ({ id, name: "Phone" }), ids: owned },
  "factors.remove": { input: ({ factorId: id }) => ({ id }), ...proven },
  "factors.cancelRecovery": {},
  "factors.renewRecoveryCodes": { stepUp: "always" },

  "files.list": { input: ({ fileId: cursor }) => ({ cursor }) },
  "files.delete": { input: ({ fileId: id }) => ({ id }), ids: owned },

  "domains.list": {},
  "domains.add": { input: () => ({ domain: "walkers.example" }) },
  "domains.prove": { input: ({ domainId: id }) => ({ id }), ids: owned },
  "domains.require": { input: ({ domainId: id }) => ({ id, provider: null }), ...proven },
  "domains.remove": { input: ({ domainId: id }) => ({ id }), ids: owned, stepUp: "always" },

  "keys.list": { input: () => ({ includeRevoked: true }) },
  "keys.read": { input: ({ keyId: id }) => ({ id }), ids: owned },
  "keys.create": {
    input: ({ keyId, projectId }) => ({
      name: "walker",
      limits: { spendLimitsUsd: { day: "1" } },
      projectId,
      attemptId: keyId,
    }),
    // A member is named in the test of keys over the management API: most roles may make keys for themselves only.
    ids: { attemptId: "made", projectId: "owned", memberId: "owned" },
  },
  "keys.update": {
    input: ({ keyId }) => ({ id: keyId, name: "walker", limits: { spendLimitsUsd: {} } }),
    ids: owned,
    stepUp: "sometimes",
    risky: ({ foreignKeyId }) => ({ id: foreignKeyId, limits: { spendLimitsUsd: { day: "2" } } }),
  },
  "keys.move": {
    input: ({ keyId, projectId }) => ({ id: keyId, projectId }),
    ids: { id: "owned", projectId: "owned" },
  },
  "keys.setDisabled": { input: ({ keyId }) => ({ id: keyId, disabled: true }), ids: owned },
  "keys.rotate": {
    input: ({ keyId }) => ({ id: keyId, graceSeconds: 0 }),
    ids: owned,
    stepUp: "sometimes",
    risky: ({ foreignKeyId }) => ({ id: foreignKeyId, graceSeconds: 0 }),
  },
  "keys.endPrevious": { input: ({ keyId }) => ({ id: keyId }), ids: owned },
  "keys.revoke": { input: ({ keyId }) => ({ id: keyId }), ids: owned },
  "keys.detail": { input: ({ keyId }) => ({ id: keyId, timeZone }), ids: owned },

  "logs.list": {
    input: ({ keyId, projectId, generationId }) => ({
      keyIds: [keyId],
      projectIds: [projectId],
      requestId: generationId,
      cursor: generationId,
      newerThan: generationId,
    }),
    ids: { keyIds: "filter", projectIds: "filter", requestId: "filter" },
  },
  "logs.detail": { input: ({ generationId }) => ({ id: generationId }), ids: owned },
  "logs.prompt": { input: ({ generationId }) => ({ id: generationId }), ids: owned },
  "logs.receipt": { input: ({ generationId }) => ({ id: generationId }), ids: owned },

  "managementKeys.list": {},
  "managementKeys.create": {
    input: ({ managementKeyId }) => ({
      name: "walker",
      permissions: ["keys.read"],
      attemptId: managementKeyId,
    }),
    ids: { attemptId: "made" },
    stepUp: "always",
  },
  "managementKeys.revoke": { input: ({ managementKeyId: id }) => ({ id }), ids: owned },

  "models.list": { public: true },
  "models.detail": {
    public: true,
    input: () => ({ id: "no/such-model" }),
    ids: { id: "public" },
  },

  "overview.read": { input: () => ({ timeZone }) },

  "profile.identities": {},
  "profile.linkIdentity": { input: () => ({ provider: "nobody" }), stepUp: "always" },
  "profile.unlinkIdentity": { input: ({ identityId: id }) => ({ id }), ...proven },
  "profile.update": { input: () => ({ name: "Walker", timeZone }) },
  "profile.changePassword": {
    input: () => ({ currentPassword: "not my password", newPassword: password }),
    stepUp: "always",
  },
  "profile.deletion": {},
  "profile.requestDeletion": { stepUp: "always" },
  "profile.cancelDeletion": {},
  "profile.changeEmail": {
    input: () => ({ newEmail: email, password: "not my password" }),
    stepUp: "always",
  },

  "sessions.list": {},
  "sessions.end": { input: ({ sessionId }) => ({ id: sessionId }), ids: owned },
  "sessions.endOthers": {},
  "sessions.endAll": {},
  "sessions.events": {},

  "usage.read": {
    input: ({ keyId, projectId }) => ({
      ...range,
      groupBy: "key",
      keyIds: [keyId],
      projectIds: [projectId],
    }),
    ids: { keyIds: "filter", projectIds: "filter" },
  },
  "usage.groups": {
    input: ({ keyId, projectId }) => ({
      ...range,
      groupBy: ["key", "project", "day"],
      keyIds: [keyId],
      projectIds: [projectId],
    }),
    ids: { keyIds: "filter", projectIds: "filter" },
  },

  "usage.explore": {
    input: ({ keyId, projectId }) => ({
      ...range,
      measure: "spend",
      rows: "key",
      columns: "day",
      keyIds: [keyId],
      projectIds: [projectId],
    }),
    ids: { keyIds: "filter", projectIds: "filter" },
  },
  "usage.forecast": {
    input: ({ keyId, projectId }) => ({ timeZone, keyIds: [keyId], projectIds: [projectId] }),
    ids: { keyIds: "filter", projectIds: "filter" },
  },

  "wallet.summary": {},
  "wallet.createTopUp": {
    input: ({ topUpId }) => ({ amountUsd: "10", attemptId: topUpId }),
    ids: { attemptId: "owned" },
  },
  "wallet.topUp": { input: ({ topUpId }) => ({ id: topUpId }), ids: owned },
  "wallet.cancelTopUp": { input: ({ topUpId }) => ({ id: topUpId }), ids: owned },
  "wallet.ledger": { input: () => ({ timeZone }) },
  "wallet.ledgerCsv": { input: () => ({ timeZone }) },
  "wallet.unusualSpendMail": {},
  "wallet.setUnusualSpendMail": { input: () => ({ on: false }) },
  "wallet.statements": {},
  "wallet.setCompany": {
    input: () => ({ name: "Walker Ltd", addressLines: ["1 Walk Lane"], taxNumber: "" }),
  },
  "wallet.statementPdf": { input: () => ({ month: "2024-02" }) },
  "wallet.autoTopUp": {},
  "wallet.setAutoTopUp": {
    input: () => ({ enabled: false, thresholdUsd: "5", amountUsd: "10", ceilingUsd: "50" }),
    stepUp: "always",
  },
  "wallet.removeCard": {},
  "wallet.setLowBalanceAlert": { input: () => ({ usd: "5" }) },

  "projects.list": {},
  "projects.create": { input: () => ({ name: "walker" }) },
  "projects.rename": { input: ({ projectId: id }) => ({ id, name: "walked" }), ids: owned },
  "projects.setLimits": { input: ({ projectId: id }) => ({ id, concurrency: 9 }), ids: owned },
  "projects.archive": { input: ({ projectId: id }) => ({ id, keys: "revoke" }), ids: owned },
  "projects.setResponses": { input: ({ projectId: id }) => ({ id, hours: 24 }), ...proven },
  "projects.setPrompts": { input: ({ projectId: id }) => ({ id, days: null }), ...proven },
  "projects.restore": { input: ({ projectId: id }) => ({ id }), ids: owned },

  ...limitSamples,

  ...memberSamples,
  ...webhookSamples,
};
