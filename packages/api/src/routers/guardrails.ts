// Guardrails: which calls the account, its projects and keys may make. Removing one, or allowing more than before,
// needs a recent proof of identity; making it stricter does not.

import type { GuardrailId } from "@turnpike/base";
import {
  clockText,
  type Guardrail,
  type GuardrailEditor,
  type GuardrailRules,
  listGuardrails,
  removeGuardrail,
  setGuardrail,
} from "@turnpike/keys";
import { formatUsd, guardrailKinds, weekdays } from "@turnpike/terms";
import { z } from "zod";
import { addressesInput, costInput, idInput, line, namesInput } from "../inputs.ts";
import {
  accountProcedure,
  noInput,
  provenAccountProcedure,
  router,
  sometimesProvenAccountProcedure,
} from "../procedure.ts";

/** In the order of the week. */

const clock = (pattern: RegExp) =>
  line(5)
    .regex(pattern, 'Write a time like "08:00".')
    .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

export const hoursDescriptions = {
  days: "Days of the week.",
  from: "From this time of the day, like `08:00`.",
  until: "Until this time, not included; at or before `from`, it is on the next day.",
} as const;

const hoursInput = z
  .strictObject({
    days: z.array(z.enum(weekdays)).min(1).max(weekdays.length).describe(hoursDescriptions.days),
    from: clock(/^(?:[01]\d|2[0-3]):[0-5]\d$/).describe(hoursDescriptions.from),
    until: clock(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/).describe(hoursDescriptions.until),
  })
  .transform(({ days, from, until }) => ({
    days: [...new Set(days)].map((day) => weekdays.indexOf(day) + 1).toSorted(),
    fromMinute: from,
    // Midnight, as the end of a window, is that of the same day.
    untilMinute: until === 0 ? 24 * 60 : until,
  }));

/** Names with at most one wildcard, at their end. */
const patternsInput = namesInput.refine(
  (names) => names.every((name) => /^[^*]*\*?$/.test(name) && name !== ""),
  "A wildcard is only possible at the end of a name, like anthropic/*.",
);

export const ruleDescriptions = {
  allowedModels:
    "Only these models, by id, at most 200; `anthropic/*` matches every id that begins with `anthropic/`.",
  allowedProviders: "Only these providers, by id, at most 200, with the same wildcard.",
  maxInputUsdPerMillion:
    "Only providers where no token of the prompt costs more, in USD per million.",
  maxOutputUsdPerMillion:
    "Only providers where no token of the answer costs more, in USD per million.",
  maxCallUsd:
    "Only requests whose shortest answer costs at most this, in USD; a longer answer ends there.",
  denyTraining: "True: only providers that are known not to train on prompts.",
  denyRetention: "True: only providers that are known not to keep prompts.",
  allowedAddresses: "Only requests from these addresses or CIDR ranges, at most 100.",
  allowedHours: "Only requests on these days and hours, in the account's time zone.",
} as const;

const rulesInput = z
  .strictObject({
    allowedModels: patternsInput.optional().describe(ruleDescriptions.allowedModels),
    allowedProviders: patternsInput.optional().describe(ruleDescriptions.allowedProviders),
    maxInputUsdPerMillion: costInput.optional().describe(ruleDescriptions.maxInputUsdPerMillion),
    maxOutputUsdPerMillion: costInput.optional().describe(ruleDescriptions.maxOutputUsdPerMillion),
    maxCallUsd: costInput.optional().describe(ruleDescriptions.maxCallUsd),
    denyTraining: z.boolean().optional().describe(ruleDescriptions.denyTraining),
    denyRetention: z.boolean().optional().describe(ruleDescriptions.denyRetention),
    allowedAddresses: addressesInput.optional().describe(ruleDescriptions.allowedAddresses),
    allowedHours: hoursInput.optional().describe(ruleDescriptions.allowedHours),
  })
  .transform((given): GuardrailRules => {
    const { maxInputUsdPerMillion, maxOutputUsdPerMillion, maxCallUsd, ...rest } = given;
    const rules = {
      ...rest,
      maxInputNanos: maxInputUsdPerMillion,
      maxOutputNanos: maxOutputUsdPerMillion,
      maxCallNanos: maxCallUsd,
    };
    return Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined));
  });

export const guardrailIdInput = z.strictObject({
  id: idInput<GuardrailId>().describe("Id of the guardrail."),
});
export const setGuardrailInput = z.strictObject({
  kind: z.enum(guardrailKinds).describe("Whose requests it applies to."),
  subjectId: idInput().describe("Id of the account, project or API key."),
  rules: rulesInput.describe(
    "Requests that break one are refused with 403. A rule that is absent allows everything.",
  ),
});

export const guardrailsRouter = router({
  list: accountProcedure("guardrails.read")
    .input(noInput)
    .query(async ({ ctx }) => {
      const { timeZone, guardrails } = await listGuardrails(ctx.db, ctx.scope);
      return { timeZone, guardrails: guardrails.map(presentGuardrail) };
    }),
  set: sometimesProvenAccountProcedure("guardrails.change")
    .input(setGuardrailInput)
    .mutation(async ({ ctx, input }) => ({ id: await setGuardrail(ctx.db, editorOf(ctx), input) })),
  remove: provenAccountProcedure("guardrails.change")
    .input(guardrailIdInput)
    .mutation(async ({ ctx, input }) => {
      await removeGuardrail(ctx.db, editorOf(ctx), input.id);
      return {};
    }),
});

function editorOf(ctx: {
  readonly scope: Pick<GuardrailEditor, "accountId" | "ownerOfKeys" | "projectIds">;
  readonly actor: GuardrailEditor["actor"];
  readonly requireProof: () => void;
}): GuardrailEditor {
  return { ...ctx.scope, actor: ctx.actor, requireRecentProof: ctx.requireProof };
}

function presentGuardrail({ rules, ...guardrail }: Guardrail) {
  const { maxInputNanos, maxOutputNanos, maxCallNanos, allowedHours: hours } = rules;
  return {
    ...guardrail,
    rules: {
      allowedModels: rules.allowedModels ?? null,
      allowedProviders: rules.allowedProviders ?? null,
      maxInputUsdPerMillion: maxInputNanos === undefined ? null : formatUsd(maxInputNanos),
      maxOutputUsdPerMillion: maxOutputNanos === undefined ? null : formatUsd(maxOutputNanos),
      maxCallUsd: maxCallNanos === undefined ? null : formatUsd(maxCallNanos),
      denyTraining: rules.denyTraining ?? false,
      denyRetention: rules.denyRetention ?? false,
      allowedAddresses: rules.allowedAddresses ?? null,
      allowedHours:
        hours === undefined
          ? null
          : {
              days: weekdays.filter((_, index) => hours.days.includes(index + 1)),
              from: clockText(hours.fromMinute),
              until: clockText(hours.untilMinute),
            },
    },
  };
}
