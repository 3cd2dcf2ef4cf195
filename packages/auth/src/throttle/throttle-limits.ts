// How often each action that can be abused may be tried. They are values, so that a test, or an operator
// behind one big proxy, can use others.
import {
  type AccountLimits,
  accountLimits,
  type Limit,
  scaleAccountLimits,
  scaleCount,
  scaleLimit,
} from "@turnpike/accounts";
import type { Guessing } from "./slow-guessing.ts";

export type ThrottleLimits = AccountLimits & {
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
};

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

export const throttleLimits: ThrottleLimits = {
  ...accountLimits,
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
};

/** The same limits, `factor` times as generous. */
export function scaleThrottles(limits: ThrottleLimits, factor: number): ThrottleLimits {
  const scale = (limit: Limit) => scaleLimit(limit, factor);
  const scaleFree = (guessing: Guessing) => ({
    ...guessing,
    free: scaleCount(guessing.free, factor),
  });
  return {
    ...scaleAccountLimits(limits, factor),
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
  };
}
