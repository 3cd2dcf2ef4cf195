// The guardrails of a key, its project and its account in the form in which calls are compared with them: made
// once, when a key is loaded. A call must satisfy every rule of all three, so the strictest one decides.
import { type AddressRange, parseAddressRange } from "@turnpike/base";
import type { GuardrailKind, Nanos } from "@turnpike/terms";
import { type AllowedHours, type GuardrailRules, matchesName } from "./guardrail-rules.ts";

/** Whose rule it is. */
export type RuleOwner = {
  readonly kind: GuardrailKind;
  /** Of the project or the key. */
  readonly name: string;
};

export type OwnedRules = { readonly owner: RuleOwner; readonly rules: GuardrailRules };

type Rule<Value> = { readonly owner: RuleOwner; readonly value: Value };

type MostNanos = Rule<Nanos> | undefined;

export type Guardrails = {
  readonly models: readonly Rule<NameList>[];
  readonly providers: readonly Rule<NameList>[];
  readonly maxInput: MostNanos;
  readonly maxOutput: MostNanos;
  readonly maxCall: MostNanos;
  readonly denyTraining: RuleOwner | undefined;
  readonly denyRetention: RuleOwner | undefined;
  readonly addresses: readonly Rule<readonly AddressRange[]>[];
  readonly hours: readonly Rule<AllowedHours>[];
  /** In which the hours are. */
  readonly clock: Clock;
  /** Whether a rule depends on the route. */
  readonly rulesRoutes: boolean;
};

/** Whether a name is in a list. */
export type NameList = (name: string) => boolean;

/** The day of the week (1 is Monday) and the minute of the day. */
export type Clock = {
  readonly timeZone: string;
  readonly read: (at: Date) => { readonly day: number; readonly minute: number };
};

/** Undefined without a rule, so that a call without guardrails does nothing for them. */
export function compileGuardrails(
  owned: readonly OwnedRules[],
  timeZone: string,
): Guardrails | undefined {
  if (owned.length === 0) return undefined;
  const all = <Value>(read: (rules: GuardrailRules) => Value | undefined): Rule<Value>[] =>
    owned.flatMap(({ owner, rules }) => {
      const value = read(rules);
      return value === undefined ? [] : [{ owner, value }];
    });
  const least = (read: (rules: GuardrailRules) => Nanos | undefined): MostNanos =>
    all(read).reduce<MostNanos>(
      (lowest, rule) => (lowest === undefined || rule.value < lowest.value ? rule : lowest),
      undefined,
    );
  const first = (read: (rules: GuardrailRules) => boolean | undefined): RuleOwner | undefined =>
    owned.find(({ rules }) => read(rules) === true)?.owner;
  const routes = {
    providers: all(({ allowedProviders: list }) => list && listOf(list)),
    maxInput: least(({ maxInputNanos }) => maxInputNanos),
    maxOutput: least(({ maxOutputNanos }) => maxOutputNanos),
    denyTraining: first(({ denyTraining }) => denyTraining),
    denyRetention: first(({ denyRetention }) => denyRetention),
  };
  const { providers, ...others } = routes;
  return {
    ...routes,
    models: all(({ allowedModels: list }) => list && listOf(list)),
    maxCall: least(({ maxCallNanos }) => maxCallNanos),
    addresses: all(({ allowedAddresses: list }) =>
      list?.flatMap((at) => parseAddressRange(at) ?? []),
    ),
    hours: all(({ allowedHours }) => allowedHours),
    clock: createClock(timeZone),
    rulesRoutes: providers.length > 0 || Object.values(others).some((rule) => rule !== undefined),
  };
}

function listOf(entries: readonly string[]): NameList {
  const names = new Set(entries);
  const patterns = entries.filter((entry) => entry.endsWith("*"));
  return (name) => names.has(name) || patterns.some((entry) => matchesName(entry, name));
}

const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

function createClock(timeZone: string): Clock {
  let format: Intl.DateTimeFormat | undefined;
  return {
    timeZone,
    read(at) {
      format ??= new Intl.DateTimeFormat("en-US", {
        timeZone,
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      });
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
      const day = dayNames.indexOf(parts.get("weekday") ?? "") + 1;
      return { day, minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")) };
    },
  };
}

/** Whether the moment is in the window, which may end on the next day. */
export function isWithinHours(hours: AllowedHours, { read }: Clock, at: Date): boolean {
  const { days, fromMinute, untilMinute } = hours;
  const { day, minute } = read(at);
  if (fromMinute < untilMinute) {
    return days.includes(day) && fromMinute <= minute && minute < untilMinute;
  }
  const dayBefore = day === 1 ? 7 : day - 1;
  return (
    (days.includes(day) && minute >= fromMinute) ||
    (days.includes(dayBefore) && minute < untilMinute)
  );
}

const shownDays = (days: readonly number[]) =>
  days
    .toSorted((a, b) => a - b)
    .map((day) => dayNames[day - 1] ?? "")
    .join(", ");

/** `Mon, Tue from 08:00 to 18:00`. */
export function describeHours({ days, fromMinute, untilMinute }: AllowedHours): string {
  return `${shownDays(days)} from ${clockText(fromMinute)} to ${clockText(untilMinute)}`;
}

/** `08:00`; the end of a day is `24:00`. */
export function clockText(minute: number): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}
