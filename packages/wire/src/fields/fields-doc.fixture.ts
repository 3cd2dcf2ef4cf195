// Writes docs/request-fields.md from the table of request fields:
// `bun packages/wire/src/fields/fields-doc.fixture.ts && bun run format`. Tests compare the file with what this writes,
// and what it says of the APIs with what parsing does.
import { join } from "node:path";
import { currentNameOf } from "../chat/former-functions.ts";
import { apis } from "../protocol/languages.ts";
import { apiCell, outcomeIn } from "./api-cells.fixture.ts";
import { fieldTables, namesWhere } from "./field-table.ts";
import type { DialectName, FieldRule, FieldTable, Listing, RequestField } from "./request-field.ts";

export const fieldsFile = join(import.meta.dirname, "../../../../docs/request-fields.md");

const titles: Readonly<Record<keyof typeof fieldTables, string>> = {
  conversation: "Model, conversation, tools and streaming",
  answer: "Length, form and details of the answer",
  sampling: "Sampling",
  reasoning: "Reasoning",
  records: "Records, abuse checks and caches",
  gateway: "Routing and other fields of gateways, and fields that would need stored conversations",
  prices: "Fields that change the price",
  services: "Fields of services and servers besides OpenAI and Anthropic",
  embeddings: "Embeddings",
};

const upstreams = { anthropic: "Claude", gemini: "Gemini", responses: "`/responses`" } as const;
const upstreamNames = ["anthropic", "gemini", "responses"] as const;

function writeRow(names: readonly string[], field: RequestField): string {
  const [name = ""] = names;
  const cells = [
    names.map((each) => `\`${each}\``).join(", "),
    ...apis.map((api) => apiCell(api, name, field)),
    field.rule,
    ...upstreamNames.map((up) => upstreamCell(up, name, field)),
    listingCell(field.listed),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** How a field of a chat completion that has no counterpart is treated. */
const otherwise: Readonly<Record<FieldRule, string>> = {
  pass: "refused",
  price: "refused",
  preference: "ignored",
  ours: "not sent",
  refuse: "refused",
};

function upstreamCell(up: DialectName, name: string, field: RequestField): string {
  const outcome = outcomeIn("chat", name, field);
  if (outcome === "unknown" || outcome === "refused") return "–";
  const translation = field.to?.[up];
  if (typeof translation === "string") return `\`${translation}\``;
  if (translation !== undefined) return "translated";
  const current = currentNameOf(name);
  return current === name ? otherwise[field.rule] : `as \`${current}\``;
}

function listingCell(listed: Listing | undefined): string {
  if (listed === undefined) return "–";
  if (listed === "always") return "always";
  if (listed === "declared") return "where the catalog lists it";
  if ("with" in listed) return `with \`${listed.with}\``;
  return "without" in listed ? `without \`${listed.without}\`` : `with a price for it`;
}

/** Fields with the same row stand in one line. */
function writeTable(table: FieldTable): string {
  const namesOf = new Map<RequestField, string[]>();
  for (const [name, field] of Object.entries(table)) {
    const names = namesOf.get(field);
    if (names === undefined) namesOf.set(field, [name]);
    else names.push(name);
  }
  const heads = [
    "field",
    ...apis.map((api) => `\`${api}\``),
    "rule",
    ...upstreamNames.map((up) => upstreams[up]),
    "listed",
  ];
  const rows = [...namesOf].map(([field, names]) => writeRow(names, field));
  return [`| ${heads.join(" | ")} |`, `|${heads.map(() => "---|").join("")}`, ...rows].join("\n");
}

/** Fields of requests for embeddings that Gemini is asked for. */
const embedded = namesWhere(({ to }) => to?.geminiEmbeddings !== undefined)
  .map((name) => `\`${name}\``)
  .join(", ");

export function writeFields(): string {
  const sections = Object.entries(titles).map(([subject, title]) => {
    const table: FieldTable = fieldTables[subject as keyof typeof fieldTables];
    return `## ${title}\n\n${writeTable(table)}\n`;
  });
  return `# Request fields

What the gateway does with each field of a request. Written by
\`bun packages/wire/src/fields/fields-doc.fixture.ts && bun run format\` from the table in \`packages/wire/src/fields\`, from
which requests are also checked, translated and refused, and from which \`supported_parameters\` and \`/openapi.json\` are
read. \`docs/dialects.md\` says what the rules mean. A field whose value is null is as if it was not sent.

- \`chat\` is \`/v1/chat/completions\`; \`responses\`, \`messages\`, \`completions\` and \`embeddings\` are the endpoints of these
  names, \`gemini\` is generateContent, \`interactions\` Google's Interactions API. What each does with a field:
  - \`accepted\`: it is what the rule says. \`accepted (services)\`: also, but it is not of the API's author; services and
    servers that have the API added it.
  - \`translated\`: accepted; a provider with another API is sent other fields for it, or other values.
  - \`dropped\`: accepted; a provider with another API is not sent it, because it has no effect on its answer.
  - \`with a price\`: refused if it changes the price, unless the model has a price for it.
  - \`if it asks for nothing\`: refused with every other value.
  - \`as …\`: refused; the field of that name does it.
  - \`refused\`: refused with every value.
  - \`–\`: not known. Only a provider whose entry in the catalog says \`unknownFields: passed\` can be sent it; for every
    other, and for Claude, Gemini and \`/responses\` if the request has another API, it is refused.
- Rules: \`pass\` is sent as it is or translated, and refused where neither is possible; \`price\` is refused for a model
  without a price for it; a \`preference\` is ignored where the model has nothing like it, and the answer names it; \`ours\`
  is read here and not sent to a provider that would obey or reject it; \`refuse\` is refused unless it asks for nothing.
- Claude, Gemini and \`/responses\`: how a field of \`/v1/chat/completions\` reaches such a provider; \`refused\` and
  \`ignored\` are for values that ask for something. Providers whose API is that of the request are sent the caller's own
  text. Gemini's embeddings take ${embedded};
  preferences are ignored there, fields with the rule \`ours\` are not sent, and all others are refused.
- \`previous_response_id\`, \`previous_interaction_id\` and \`conversation\` are refused only where nothing is stored: elsewhere the items
  that they name stand in their place before the fields of a request are read (\`docs/responses.md\`, \`docs/clients.md\`).
- Listed: which models have it in \`supported_parameters\`, always on condition that a provider of the model takes it.

${sections.join("\n")}`;
}

if (import.meta.main) await Bun.write(fieldsFile, writeFields());
