// The schemas of the wire package as components of OpenAPI: OpenAI's under their own names, those of the other endpoints
// under the name of the endpoint and theirs.
import type { Operation } from "@turnpike/terms";
import { describeOperationForm, describeOperationRequest, wireSchemas } from "@turnpike/wire";
import type { Schema, Schemas } from "./describe-route.ts";

/** Each file of schemas by the prefix of their names. */
const families = {
  Batches: wireSchemas.batches,
  Completions: wireSchemas.completions,
  Estimates: wireSchemas.estimate,
  Files: wireSchemas.files,
  Gateway: wireSchemas.gateway,
  Gemini: wireSchemas.gemini,
  Interactions: wireSchemas.interactions,
  Messages: wireSchemas.messages,
  Models: wireSchemas.models,
  Operations: wireSchemas.operations,
  Responses: wireSchemas.responses,
} as const;

/** The requests of operations, by the names of their schemas. */
const requests = {
  ImagesRequest: "image",
  SpeechRequest: "speech",
  RerankRequest: "rerank",
  ModerationRequest: "moderation",
} as const satisfies Readonly<Record<string, Operation>>;

const chatRequest = "CreateChatCompletionRequest";

export function addWireSchemas(schemas: Schemas): void {
  for (const [name, schema] of Object.entries<Schema>(wireSchemas.openai.components.schemas)) {
    // Ours say more, see `Fault` and `ModelsModel`.
    const isOurs = /^(?:ErrorResponse|Error|ListModelsResponse|Model)$/.test(name);
    if (!isOurs) addSchema(schemas, name, name === chatRequest ? withoutModel(schema) : schema);
  }
  for (const [prefix, { $defs }] of Object.entries(families)) {
    for (const [name, schema] of Object.entries<Schema>($defs)) {
      const text = JSON.stringify(schema).replaceAll("#/$defs/", `#/components/schemas/${prefix}`);
      addSchema(schemas, `${prefix}${name}`, JSON.parse(text));
    }
  }
  for (const [name, operation] of Object.entries(requests)) {
    addSchema(schemas, name, describeOperationRequest(operation));
  }
  const image = "An image to edit, or several as `image[]`.";
  const imageForm = describeOperationForm("image", { image, mask: "What is edited of it." });
  addSchema(schemas, "ImageEditForm", imageForm);
  const audio = { file: "The audio: its format is found out, whatever its name says." };
  addSchema(schemas, "TranscriptionForm", describeOperationForm("transcription", audio));
  addSchema(schemas, "TranscriptionEstimate", describeTranscriptionEstimate());
  const { credits, key, generation } = wireSchemas;
  const own = { Credits: credits, CurrentKey: key, Generation: generation };
  for (const [name, { $schema: _, title: __, ...schema }] of Object.entries(own)) {
    addSchema(schemas, name, schema);
  }
}

/** Of audio that is not sent. */
function describeTranscriptionEstimate(): Schema {
  const { properties, ...schema } = describeOperationRequest("transcription");
  const seconds = {
    description: "How long the audio lasts.",
    type: "number",
    exclusiveMinimum: 0,
    maximum: 86_400,
  };
  return {
    ...schema,
    properties: { ...Object(properties), duration_seconds: seconds },
    required: ["model", "duration_seconds"],
  };
}

/** `models` may stand in for the `model` that OpenAI requires; the operation says so. */
function withoutModel(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replace('"required":["model",', '"required":['));
}

function addSchema(schemas: Schemas, name: string, schema: Schema): void {
  if (name in schemas) throw new Error(`two schemas are named ${name}`);
  schemas[name] = schema;
}
