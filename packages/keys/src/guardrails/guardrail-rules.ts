// The rules of a guardrail, as its row holds them in columns, which are read and written here and nowhere else.
// An absent rule allows everything.
import { guardrails } from "@turnpike/db";
import type { GuardrailKind, Nanos } from "@turnpike/terms";

export type AllowedHours = {
  /** 1 is Monday, 7 is Sunday: the days on which a window begins. */
  readonly days: readonly number[];
  /** Of the day in the account's time zone. */
  readonly fromMinute: number;
  /** Not included; not after `fromMinute`, it is a minute of the next day. */
  readonly untilMinute: number;
};

export type GuardrailRules = {
  /** Public model ids; `anthropic/*` stands for all that begin with `anthropic/`. */
  readonly allowedModels?: readonly string[];
  /** Provider ids, with the same wildcard. */
  readonly allowedProviders?: readonly string[];
  /** Nano-dollars per million tokens. */
  readonly maxInputNanos?: Nanos;
  readonly maxOutputNanos?: Nanos;
  /** For one call. */
  readonly maxCallNanos?: Nanos;
  /** Only routes that are known not to train on what they are sent. */
  readonly denyTraining?: boolean;
  /** Only routes that are known to keep nothing. */
  readonly denyRetention?: boolean;
  /** Addresses or CIDR ranges. */
  readonly allowedAddresses?: readonly string[];
  readonly allowedHours?: AllowedHours;
};

/** Whose rules they are. */
export type GuardrailSubject = { readonly kind: GuardrailKind; readonly subjectId: string };

/** The columns `toRules` reads. */
export const ruleSelection = {
  allowedModels: guardrails.allowedModels,
  allowedProviders: guardrails.allowedProviders,
  maxInputNanos: guardrails.maxInputNanos,
  maxOutputNanos: guardrails.maxOutputNanos,
  maxCallNanos: guardrails.maxCallNanos,
  denyTraining: guardrails.denyTraining,
  denyRetention: guardrails.denyRetention,
  allowedAddresses: guardrails.allowedAddresses,
  allowedDays: guardrails.allowedDays,
  fromMinute: guardrails.fromMinute,
  untilMinute: guardrails.untilMinute,
} as const;

export type RuleColumns = Pick<typeof guardrails.$inferSelect, keyof typeof ruleSelection>;

export function toRules(row: RuleColumns): GuardrailRules {
  const { allowedDays: days, fromMinute, untilMinute } = row;
  return {
    ...(row.allowedModels !== null && { allowedModels: row.allowedModels }),
    ...(row.allowedProviders !== null && { allowedProviders: row.allowedProviders }),
    ...(row.maxInputNanos !== null && { maxInputNanos: row.maxInputNanos }),
    ...(row.maxOutputNanos !== null && { maxOutputNanos: row.maxOutputNanos }),
    ...(row.maxCallNanos !== null && { maxCallNanos: row.maxCallNanos }),
    ...(row.denyTraining && { denyTraining: true }),
    ...(row.denyRetention && { denyRetention: true }),
    ...(row.allowedAddresses !== null && { allowedAddresses: row.allowedAddresses }),
    ...(days !== null &&
      fromMinute !== null &&
      untilMinute !== null && { allowedHours: { days, fromMinute, untilMinute } }),
  };
}

export function ruleColumns(rules: GuardrailRules): RuleColumns {
  const { allowedHours: hours } = rules;
  return {
    allowedModels: rules.allowedModels?.slice() ?? null,
    allowedProviders: rules.allowedProviders?.slice() ?? null,
    maxInputNanos: rules.maxInputNanos ?? null,
    maxOutputNanos: rules.maxOutputNanos ?? null,
    maxCallNanos: rules.maxCallNanos ?? null,
    denyTraining: rules.denyTraining ?? false,
    denyRetention: rules.denyRetention ?? false,
    allowedAddresses: rules.allowedAddresses?.slice() ?? null,
    allowedDays: hours?.days.slice() ?? null,
    fromMinute: hours?.fromMinute ?? null,
    untilMinute: hours?.untilMinute ?? null,
  };
}

export function hasRule(columns: RuleColumns): boolean {
  return Object.values(columns).some((rule) => rule !== null && rule !== false);
}

/** Whether `name` is the entry, or begins like an entry that ends with `*`. */
export function matchesName(entry: string, name: string): boolean {
  return entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry;
}
