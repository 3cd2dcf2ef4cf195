// A change in the audit log, in the words of the form that makes it: `Budget: $5 to $10`. Fields that no form has are
// written as words.
import { formatDateTime, formatExactUsd, formatUsd } from "../../lib/format.ts";
import { roleNames } from "../../shell/role-names.ts";

type Change = readonly [before: string | null, after: string | null];
type Show = (text: string, timeZone: string) => string;
type Field = { readonly name: string; readonly show?: Show; readonly none?: string };

const showTime: Show = (text, timeZone) => formatDateTime(new Date(text), timeZone);

const oneOf =
  (names: Readonly<Record<string, string>>): Show =>
  (text) =>
    names[text] ?? text;

const showSwitch = oneOf({ true: "on", false: "off" });
/** Whole dollars as they are typed into forms. */
const showUsd: Show = (usd) => (usd.includes(".") ? formatExactUsd : formatUsd)(usd);
const dollars = (name: string): Field => ({ name, show: showUsd });
const switched = (name: string): Field => ({ name, show: showSwitch });

/** By the names of the server; where several actions have a field of one name, with the action before it. */
const fields: Readonly<Record<string, Field>> = {
  limitUsd: dollars("Budget"),
  effect: {
    name: "When it is reached",
    show: oneOf({ refuses: "Block requests", tells: "Alert only" }),
  },
  usd: dollars("Amount"),
  enabled: switched("Top up automatically"),
  threshold_usd: dollars("When below"),
  amount_usd: dollars("Add"),
  ceiling_usd: dollars("At most a month"),
  taxNumber: { name: "Tax ID" },
  slug: { name: "Address" },
  url: { name: "URL" },
  role: { name: "Role", show: oneOf(roleNames) },
  "account.set_audit_retention days": { name: "Days kept", none: "no end" },
  days: { name: "Days kept" },
  redacts: switched("Replace secrets and addresses"),
  factorsRequiredFrom: { name: "Second factors required from", show: showTime },
  until: { name: "Until", show: showTime },
  found_at: { name: "Found at" },
  revokes_leaked_keys: { name: "Revoke leaked keys at once" },
  concurrency: { name: "Concurrent requests" },
  maxInputUsdPerMillion: dollars("Maximum input price per 1M tokens"),
  maxOutputUsdPerMillion: dollars("Maximum output price per 1M tokens"),
  maxCallUsd: dollars("Maximum cost of one request"),
  denyTraining: switched("Only providers that do not train on prompts"),
  denyRetention: switched("Only providers that do not keep prompts"),
  allowedHours: { name: "Hours" },
};

export function describeChange(
  action: string,
  field: string,
  [before, after]: Change,
  timeZone: string,
): string {
  const {
    name,
    show,
    none = "none",
  } = fields[`${action} ${field}`] ?? fields[field] ?? { name: wordsOf(field) };
  const shown = (text: string | null) => (text && (show?.(text, timeZone) ?? text)) || none;
  return `${name}: ${before ? `${shown(before)} to ${shown(after)}` : shown(after)}`;
}

/** `requests_per_minute` and `allowedModels` as `Requests per minute` and `Allowed models`. */
function wordsOf(field: string): string {
  const words = field.replace(/_|(?=[A-Z])/g, " ").toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
