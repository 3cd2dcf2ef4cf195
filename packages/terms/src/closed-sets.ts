// Words that the server accepts and the console offers. Schemas, constraints of the database and forms are made of these
// lists, so that a new word is named here, where it is set and where it is shown.

export const accountKinds = ["personal", "organization"] as const;
export type AccountKind = (typeof accountKinds)[number];

/** What a member may do; the permissions of each are in `auth`. */
export const roles = ["owner", "admin", "billing", "developer", "viewer"] as const;
export type Role = (typeof roles)[number];

export const budgetKinds = ["account", "project", "member", "key"] as const;
export type BudgetKind = (typeof budgetKinds)[number];

export const budgetPeriods = ["day", "week", "month", "total"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

export const guardrailKinds = ["account", "project", "key"] as const;
export type GuardrailKind = (typeof guardrailKinds)[number];

/** The first is day 1 of a week. */
export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof weekdays)[number];

/** Service tiers that may have their own price. */
export const serviceTiers = ["flex", "scale", "priority", "fast"] as const;
export type ServiceTier = (typeof serviceTiers)[number];

/** Where a request came from. */
export const origins = ["api", "playground"] as const;
export type Origin = (typeof origins)[number];

/** How a request ended, as usage counts it. */
export const requestClasses = ["ok", "client_error", "server_error", "canceled"] as const;
export type RequestClass = (typeof requestClasses)[number];

/** What Logs narrow by. `failed`: refused or failed, so 4xx or 5xx. */
export const statusClasses = ["2xx", "failed", "4xx", "5xx", "canceled"] as const;
export type StatusClass = (typeof statusClasses)[number];

/** How callers may name their requests, and may not. */
export const callerNames = ["app", "user"] as const;
export type CallerName = (typeof callerNames)[number];

/** Kinds of movements of money, as an account sees them. */
export const ledgerTypes = ["top_up", "usage", "refund", "dispute", "adjustment"] as const;
export type LedgerType = (typeof ledgerTypes)[number];

/** How bad an incident is; `maintenance` was planned. */
export const incidentImpacts = ["maintenance", "degraded", "outage"] as const;
export type IncidentImpact = (typeof incidentImpacts)[number];

export const incidentStates = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentState = (typeof incidentStates)[number];

/** `canceled`: its endpoint was disabled before it was accepted. */
export const webhookMessageStates = ["waiting", "accepted", "failed", "canceled"] as const;
export type WebhookMessageState = (typeof webhookMessageStates)[number];

/** How long the old secret of an API key may work beside a new one: not at all, an hour, a day, a week. */
export const graceSeconds = [0, 3_600, 86_400, 604_800] as const;
export type GraceSeconds = (typeof graceSeconds)[number];

/** How long messages of a webhook may be signed with the old secret too. */
export const overlapHours = [0, 1, 24, 168] as const;
export type OverlapHours = (typeof overlapHours)[number];
