// How often each action of a signed-in person that can be abused may be tried. They are values, so that a test, or an
// operator behind one big proxy, can use others.
import type { Limit } from "./throttle.ts";

export type AccountLimits = {
  /** Links that do not exist. */
  readonly tokenPerAddress: Limit;
  readonly topUpPerPerson: Limit;
  readonly topUpPerDay: Limit;
  /** New API keys of a personal account. */
  readonly keyPerAccount: Limit;
  /** New API keys of an organization. */
  readonly keyPerOrganization: Limit;
  readonly organizationPerPerson: Limit;
  readonly exportPerPerson: Limit;
  /** New URLs of an organization, which keeps the former ones. */
  readonly slugPerAccount: Limit;
  /** Webhook messages that members send by hand: they go to whatever host the URL names. */
  readonly webhookPerAccount: Limit;
  readonly invitationPerAccount: Limit;
  /** Mails that invite one address, from any account. */
  readonly invitationPerRecipient: Limit;
};

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

export const accountLimits: AccountLimits = {
  tokenPerAddress: { max: 5, windowMs: 15 * minuteMs },
  topUpPerPerson: { max: 3, windowMs: 10 * minuteMs },
  topUpPerDay: { max: 20, windowMs: dayMs },
  keyPerAccount: { max: 20, windowMs: hourMs },
  keyPerOrganization: { max: 200, windowMs: hourMs },
  organizationPerPerson: { max: 10, windowMs: dayMs },
  exportPerPerson: { max: 10, windowMs: dayMs },
  slugPerAccount: { max: 5, windowMs: dayMs },
  webhookPerAccount: { max: 20, windowMs: 10 * minuteMs },
  invitationPerAccount: { max: 100, windowMs: dayMs },
  invitationPerRecipient: { max: 10, windowMs: dayMs },
};

/** The same limits, `factor` times as generous. */
export function scaleAccountLimits(limits: AccountLimits, factor: number): AccountLimits {
  return {
    tokenPerAddress: scaleLimit(limits.tokenPerAddress, factor),
    topUpPerPerson: scaleLimit(limits.topUpPerPerson, factor),
    topUpPerDay: scaleLimit(limits.topUpPerDay, factor),
    keyPerAccount: scaleLimit(limits.keyPerAccount, factor),
    keyPerOrganization: scaleLimit(limits.keyPerOrganization, factor),
    organizationPerPerson: scaleLimit(limits.organizationPerPerson, factor),
    exportPerPerson: scaleLimit(limits.exportPerPerson, factor),
    slugPerAccount: scaleLimit(limits.slugPerAccount, factor),
    webhookPerAccount: scaleLimit(limits.webhookPerAccount, factor),
    invitationPerAccount: scaleLimit(limits.invitationPerAccount, factor),
    invitationPerRecipient: scaleLimit(limits.invitationPerRecipient, factor),
  };
}

export function scaleLimit({ max, windowMs }: Limit, factor: number): Limit {
  return { max: scaleCount(max, factor), windowMs };
}

export function scaleCount(count: number, factor: number): number {
  return Math.max(1, Math.round(count * factor));
}
