// Writes docs/request-fields.md from the table of request fields: `bun packages/wire/src/fields/fields-doc.fixture.ts`.
// A test compares the file with what this writes.
import { join } from "node:path";
import { currentNameOf } from "../chat/former-functions.ts";
import { type Api, apis } from "../languages.ts";
import { fieldTables } from "./field-table.ts";
import type { DialectName, FieldRule, FieldTable, Listing, RequestField } from "./request-field.ts";

export const fieldsFile = join(import.meta.dirname, "../../../../docs/request-fields.md");

const titles: Readonly<Record<keyof typeof fieldTables, string>> = {
  conversation: "What is asked, of which model, with which tools",
  answer: "How long an answer is, in which form, and what is reported of it",
  sampling: "How tokens are chosen",
  reasoning: "Whether a model reasons, and how that is shown",
  records: "Records, abuse checks and caches",
  gateway: "This gateway, and what needs a memory that it does not have",
  prices: "What changes the price",
  services: "Of other services and servers",
  embeddings: "Embeddings",
};

const upstreams: Readonly<Record<DialectName, string>> = {
  anthropic: "Claude",
  gemini: "Gemini",
  responses: "`/responses`",
  geminiEmbeddings: "Gemini's embeddings",
};

const chatUpstreams = ["anthropic", "gemini", "responses"] as const;

function writeRow(names: readonly string[], field: RequestField, ups: readonly DialectName[]) {
  const cells = [
    names.map((name) => `\`${name}\``).join(", "),
    apis.flatMap((api) => apiCell(api, field) ?? []).join(", ") || "–",
    field.rule,
    ...ups.map((up) => upstreamCell(up, names[0] ?? "", field)),
    listingCell(field.listed),
  ];
  return `| ${cells.join(" | ")} |`;
}

function apiCell(api: Api, { of, names }: RequestField): string | undefined {
  const own = of[api];
  const other = api === "responses" || api === "messages" ? names?.[api] : undefined;
  if (other !== undefined) return `${api} as \`${other}\``;
  if (own === undefined) return undefined;
  if (own.refused !== undefined)
    return own.refused.unless ? `${api} if it asks for nothing` : undefined;
  return own.isForeign ? `${api} of services` : api;
}

/** What becomes of it where a request is translated. */
const otherwise: Readonly<Record<FieldRule, string>> = {
  pass: "refused",
  price: "refused",
  preference: "ignored",
  ours: "not sent",
  refuse: "refused",
};

function upstreamCell(up: DialectName, name: string, { rule, of, to }: RequestField): string {
  const translation = to?.[up];
  if (typeof translation === "string") return `\`${translation}\``;
  if (translation !== undefined) return "translated";
  const current = currentNameOf(name);
  if (current !== name) return `as \`${current}\``;
  // Of no chat completion: it is translated before.
  const written =
    of.chat === undefined ? (of.messages ?? of.completions ?? of.responses)?.inChat : undefined;
  if (rule !== "pass" || written === undefined) return otherwise[rule];
  return written === "translated" ? "translated" : "not sent";
}

function listingCell(listed: Listing | undefined): string {
  if (listed === undefined) return "–";
  if (listed === "always") return "every model";
  if (listed === "declared") return "where the catalog lists it";
  if ("with" in listed) return `with \`${listed.with}\``;
  return "without" in listed ? `without \`${listed.without}\`` : `with a price for it`;
}

/** Fields with the same row stand in one line. */
function writeTable(table: FieldTable, ups: readonly DialectName[]): string {
  const namesOf = new Map<RequestField, string[]>();
  for (const [name, field] of Object.entries(table)) {
    const names = namesOf.get(field);
    if (names === undefined) namesOf.set(field, [name]);
    else names.push(name);
  }
  const heads = ["field", "APIs", "rule", ...ups.map((up) => upstreams[up]), "listed"];
  const rows = [...namesOf].map(([field, names]) => writeRow(names, field, ups));
  return [`| ${heads.join(" | ")} |`, `|${heads.map(() => "---|").join("")}`, ...rows].join("\n");
}

export function writeFields(): string {
  const sections = Object.entries(titles).map(([subject, title]) => {
    const table: FieldTable = fieldTables[subject as keyof typeof fieldTables];
    const ups = subject === "embeddings" ? (["geminiEmbeddings"] as const) : chatUpstreams;
    return `## ${title}\n\n${writeTable(table, ups)}\n`;
  });
  return `# Request fields

What the gateway does with each field of a request. Written by \`bun packages/wire/src/fields/fields-doc.fixture.ts\` from
the table in \`packages/wire/src/fields\`, from which requests are also checked, translated and refused, and from which
\`supported_parameters\` and \`/openapi.json\` are read. \`docs/dialects.md\` says what the rules mean.

- APIs: \`chat\` is \`/v1/chat/completions\`, \`responses\`, \`messages\`, \`completions\` and \`embeddings\` the endpoints of these
  names. "of services" is what services and servers add to the API of its author. A response has the fields of a chat
  completion as well, and a completion those that make sense for one prompt.
- Rules: \`pass\` is sent as it is or translated, and refused where neither is possible; \`price\` is refused for a model
  without a price for it; a \`preference\` is ignored where the model has nothing like it, and the answer names it; \`ours\`
  is read here and not sent to a provider that would obey or reject it; \`refuse\` is refused unless it asks for nothing.
- Claude, Gemini and \`/responses\`: what becomes of it for such a provider where the request came in another language.
  Other providers are asked in the language of a chat completion.
- Listed: which models have it in \`supported_parameters\`.

${sections.join("\n")}`;
}

if (import.meta.main) await Bun.write(fieldsFile, writeFields());
