// The published schemas of what the endpoints take and answer: OpenAI's own for what OpenAI has, ours for the rest.
import batches from "../../schema/batches.json";
import completions from "../../schema/completions.json";
import credits from "../../schema/credits.json";
import estimate from "../../schema/estimate.json";
import files from "../../schema/files.json";
import gateway from "../../schema/gateway.json";
import gemini from "../../schema/gemini.json";
import generation from "../../schema/generation.json";
import interactions from "../../schema/interactions.json";
import key from "../../schema/key.json";
import messages from "../../schema/messages.json";
import models from "../../schema/models.json";
import openai from "../../schema/openapi-subset.json";
import operations from "../../schema/operations.json";
import responses from "../../schema/responses.json";
import { columnOf } from "../fields/field-table.ts";

/** Of fields of a chat completion that OpenAI's own schema lacks. */
const preferences = {
  type: "object",
  properties: Object.fromEntries(columnOf(({ schema }) => schema)),
} as const;

export const wireSchemas = {
  batches,
  completions,
  credits,
  estimate,
  files,
  gateway: { ...gateway, $defs: { ...gateway.$defs, Preferences: preferences } },
  gemini,
  generation,
  interactions,
  key,
  messages,
  models,
  openai,
  operations,
  responses,
} as const;
