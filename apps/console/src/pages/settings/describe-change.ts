// The changes of a row of the audit log, in the words of the form that makes them: `Amount: from $5 to $10`. Fields
// that no form has are written as words.
import { formatDateTime, formatExactUsd, formatUsd } from "../../lib/format.ts";
import { counted } from "../../lib/plural.ts";
import { roleNames } from "../../shell/role-names.ts";
import { permissionText } from "./permission-text.ts";

type Names = Readonly<Record<string, string>>;
type Change = readonly [before: string | null, after: string | null];
type Changes = Readonly<Record<string, Change>>;
/** Ids in the log are shown as the names of what they are of, where that still has one. */
type Reader = {
  readonly timeZone: string;
  readonly projectNames: Names;
  readonly providerNames: Names;
};
type Show = (text: string, reader: Reader) => string;
type Field = {
  readonly name: string;
  readonly show?: Show;
  readonly none?: string;
  /** Says which one it was done to: what follows it in the log is no other value of it. */
  readonly isObject?: true;
};

const showTime: Show = (text, { timeZone }) => formatDateTime(new Date(text), timeZone);

const oneOf =
  (names: Names): Show =>
  (text) =>
    names[text] ?? text;

const listOf =
  (show: Show): Show =>
  (text, reader) =>
    text
      .split(", ")
      .map((part) => show(part, reader))
      .join(", ");

const showSwitch = oneOf({ true: "on", false: "off", yes: "on", no: "off" });
/** Whole dollars as they are typed into forms. */
const showUsd: Show = (usd) => (usd.includes(".") ? formatExactUsd : formatUsd)(usd);
const dollars = (name: string): Field => ({ name, show: showUsd });
const switched = (name: string): Field => ({ name, show: showSwitch, none: "off" });

/** By the names of the server; where several actions have a field of one name, with the action before it. */
const fields: Readonly<Record<string, Field>> = {
  limitUsd: dollars("Amount"),
  effect: { name: "At the limit", show: oneOf({ refuses: "Block requests", tells: "Alert only" }) },
  usd: dollars("Amount"),
  "account.debit usd": {
    name: "Amount",
    show: (usd, reader) => showUsd(usd.replace("-", ""), reader),
  },
  "account.set_credit_limit usd": dollars("Credit limit"),
  "account.set_low_balance_alert usd": { ...dollars("Below"), none: "no email" },
  mail: switched("Email about unusual spending"),
  enabled: switched("Top up automatically"),
  refunded_usd: dollars("Refunded in all"),
  threshold_usd: dollars("When below"),
  amount_usd: dollars("Add"),
  ceiling_usd: dollars("At most a month"),
  card: { name: "Card ending in" },
  "account.set_company name": { name: "Company" },
  taxNumber: { name: "Tax ID" },
  slug: { name: "Address" },
  url: { name: "URL" },
  message: { name: "Delivery", isObject: true },
  "webhook.disable reason": {
    name: "Reason",
    show: oneOf({
      failures: "It accepted no message for three days",
      gone: "It answered 410 Gone",
    }),
  },
  role: { name: "Role", show: oneOf(roleNames) },
  projects: {
    name: "Projects",
    show: listOf((id, { projectNames }) =>
      id === "all" ? "All projects" : (projectNames[id] ?? id),
    ),
  },
  "member.remove keys": {
    name: "API keys they made",
    show: oneOf({ revoke: "Revoke them", keep: "Keep them", hand_over: "Hand them over" }),
  },
  "project.archive keys": {
    name: "Its API keys",
    show: oneOf({ move: "Move them", revoke: "Revoke them" }),
  },
  permissions: { name: "What it may do", show: listOf(permissionText) },
  provider: {
    name: "Sign-in",
    show: (id, { providerNames }) => `Only with ${providerNames[id] ?? id}`,
    none: "Any way",
  },
  proven_by: { name: "Proven by", show: oneOf({ dns: "TXT record", operator: "operator" }) },
  timeZone: { name: "Time zone of the account" },
  "account.set_audit_retention days": {
    name: "Keep the audit log for",
    show: (days) => counted(Number(days), "day"),
    none: "Forever",
  },
  "project.prompts days": {
    name: "Prompts and answers",
    show: (days) => `Stored for ${counted(Number(days), "day")}`,
    none: "Not stored",
  },
  "project.responses hours": {
    name: "Responses",
    show: (hours) => `Stored for ${counted(Number(hours), "hour")}`,
    none: "Stored if asked for",
  },
  redacts: switched("Replace secrets and addresses"),
  factorsRequiredFrom: { name: "Second factor required from", show: showTime },
  until: { name: "Until", show: showTime },
  revokes_leaked_keys: switched("Revoke leaked keys at once"),
  concurrency: { name: "Concurrent requests" },
  maxInputUsdPerMillion: dollars("Maximum input price per 1M tokens"),
  maxOutputUsdPerMillion: dollars("Maximum output price per 1M tokens"),
  maxCallUsd: dollars("Maximum cost of one request"),
  denyTraining: switched("Only providers that do not train on prompts"),
  denyRetention: switched("Only providers that do not keep prompts"),
  allowedHours: { name: "Hours" },
};

/** A line for each field that changed: the log has what a form was sent with, also where that was the same. */
export function describeChanges(
  action: string,
  changes: Changes,
  reader: Reader,
): readonly string[] {
  return Object.entries(changes)
    .filter(([, [before, after]]) => (before || null) !== (after || null))
    .map(([field, change]) => describe(fieldOf(action, field), change, reader));
}

function fieldOf(action: string, field: string): Field {
  return fields[`${action} ${field}`] ?? fields[field] ?? { name: wordsOf(field) };
}

function describe(field: Field, [before, after]: Change, reader: Reader): string {
  const { name, show, none = "none", isObject } = field;
  const shown = (text: string | null) => (text && (show?.(text, reader) ?? text)) || none;
  if (isObject) return `${name}: ${shown(before ?? after)}`;
  return `${name}: ${before ? `from ${shown(before)} to ${shown(after)}` : shown(after)}`;
}

/** `requests_per_minute` and `allowedModels` as `Requests per minute` and `Allowed models`. */
function wordsOf(field: string): string {
  const words = field.replace(/_|(?=[A-Z])/g, " ").toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
