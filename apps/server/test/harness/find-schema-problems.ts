// Whether a body matches the published schema: OpenAI's own description for what OpenAI has, our
// schemas for what only we have.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const ownSchemas = ["credits", "key", "generation"] as const;

/** In a file of their own: OpenAI's has a thousand further schemas for tools that are not offered here. */
const responsesSchemas = ["Response", "ResponseStreamEvent"] as const;
type ResponsesSchemaName = (typeof responsesSchemas)[number];

export type SchemaName =
  | "CreateChatCompletionResponse"
  | "CreateChatCompletionStreamResponse"
  | "CreateEmbeddingResponse"
  | "ListModelsResponse"
  | "Model"
  | "ErrorResponse"
  | ResponsesSchemaName
  | (typeof ownSchemas)[number];

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addFormat("unixtime", true);
ajv.addFormat("float", true);
ajv.addSchema(readSchema("openapi-subset"), "openapi");
ajv.addSchema(readSchema("responses"), "responses");
for (const name of ownSchemas) ajv.addSchema(readSchema(name), name);

/** Empty when `body` is valid. */
export function findSchemaProblems(name: SchemaName, body: unknown): readonly unknown[] {
  const validate = ajv.getSchema(addressOf(name));
  if (!validate) throw new Error(`there is no schema ${name}`);
  return validate(body) ? [] : (validate.errors ?? []);
}

function addressOf(name: SchemaName): string {
  if (ownSchemas.some((own) => own === name)) return name;
  if (responsesSchemas.some((own) => own === name)) return `responses#/$defs/${name}`;
  return `openapi#/components/schemas/${name}`;
}

function readSchema(name: string): object {
  const url = import.meta.resolve(`@turnpike/wire/schema/${name}.json`);
  return JSON.parse(readFileSync(fileURLToPath(url), "utf8"));
}
