// How often each action that can be abused may be tried. They are values, so that a test, or an operator
// behind one big proxy, can use others.
import type { Guessing } from "./slow-guessing.ts";
import type { Limit } from "./throttle.ts";

export type ThrottleLimits = {
  readonly loginPerAddress: Limit;
  readonly loginPerNetwork: Limit;
  /** Per person and kind of caller: unknown ones, each known device, each session. */
  readonly loginPerPerson: Guessing;
  /** Codes of a second factor, from a client that knows the password. */
  readonly factorPerPerson: Guessing;
  /** Challenges for passkeys, of which each opened sign-in page takes one. */
  readonly passkeyPerAddress: Limit;
  /** Mails that offer the owner a way in while sign-in is slowed down. */
  readonly unlockPerPerson: Limit;
  readonly signUpPerAddress: Limit;
  readonly signUpPerNetwork: Limit;
  readonly signUpInAll: Limit;
  /** Mails with a link, to one recipient. */
  readonly mailPerMinute: Limit;
  readonly mailPerDay: Limit;
  readonly mailPerAddress: Limit;
  readonly mailPerNetwork: Limit;
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

export const throttleLimits: ThrottleLimits = {
  loginPerAddress: { max: 20, windowMs: 5 * minuteMs },
  loginPerNetwork: { max: 100, windowMs: 5 * minuteMs },
  loginPerPerson: {
    free: 10,
    delayMinMs: 1_000,
    delayMaxMs: 15 * minuteMs,
    forgetMs: dayMs,
  },
  factorPerPerson: {
    free: 5,
    delayMinMs: 15_000,
    delayMaxMs: 15 * minuteMs,
    forgetMs: dayMs,
  },
  passkeyPerAddress: { max: 60, windowMs: 5 * minuteMs },
  unlockPerPerson: { max: 1, windowMs: dayMs },
  signUpPerAddress: { max: 5, windowMs: hourMs },
  signUpPerNetwork: { max: 25, windowMs: hourMs },
  signUpInAll: { max: 500, windowMs: hourMs },
  mailPerMinute: { max: 1, windowMs: minuteMs },
  mailPerDay: { max: 5, windowMs: dayMs },
  mailPerAddress: { max: 10, windowMs: hourMs },
  mailPerNetwork: { max: 50, windowMs: hourMs },
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
export function scaleThrottles(limits: ThrottleLimits, factor: number): ThrottleLimits {
  const scale = ({ max, windowMs }: Limit) => ({ max: scaleCount(max, factor), windowMs });
  const scaleFree = (guessing: Guessing) => ({
    ...guessing,
    free: scaleCount(guessing.free, factor),
  });
  return {
    loginPerAddress: scale(limits.loginPerAddress),
    loginPerNetwork: scale(limits.loginPerNetwork),
    loginPerPerson: scaleFree(limits.loginPerPerson),
    factorPerPerson: scaleFree(limits.factorPerPerson),
    passkeyPerAddress: scale(limits.passkeyPerAddress),
    unlockPerPerson: limits.unlockPerPerson,
    signUpPerAddress: scale(limits.signUpPerAddress),
    signUpPerNetwork: scale(limits.signUpPerNetwork),
    signUpInAll: scale(limits.signUpInAll),
    mailPerMinute: scale(limits.mailPerMinute),
    mailPerDay: scale(limits.mailPerDay),
    mailPerAddress: scale(limits.mailPerAddress),
    mailPerNetwork: scale(limits.mailPerNetwork),
    tokenPerAddress: scale(limits.tokenPerAddress),
    topUpPerPerson: scale(limits.topUpPerPerson),
    topUpPerDay: scale(limits.topUpPerDay),
    keyPerAccount: scale(limits.keyPerAccount),
    keyPerOrganization: scale(limits.keyPerOrganization),
    organizationPerPerson: scale(limits.organizationPerPerson),
    exportPerPerson: scale(limits.exportPerPerson),
    slugPerAccount: scale(limits.slugPerAccount),
    webhookPerAccount: scale(limits.webhookPerAccount),
    invitationPerAccount: scale(limits.invitationPerAccount),
    invitationPerRecipient: scale(limits.invitationPerRecipient),
  };
}

function scaleCount(count: number, factor: number): number {
  return Math.max(1, Math.round(count * factor));
}
