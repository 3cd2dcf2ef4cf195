// The fields of `POST /v1/batches`, as OpenAI's clients send them, and the query of `GET /v1/batches`.
import { isObject, type JsonObject } from "@turnpike/base";
import {
  aboveMaximum,
  badValue,
  belowMinimum,
  missing,
  notSupported,
  tooLong,
  wrongType,
} from "../checks/body-fault.ts";
import { batchKeptSeconds, parseKeptSeconds } from "../files/parse-file-fields.ts";

/** Where the lines of a batch may be sent. */
export const batchEndpoints = [
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/messages",
  "/v1/completions",
  "/v1/embeddings",
  "/v1/moderations",
] as const;
export type BatchEndpoint = (typeof batchEndpoints)[number];

export type BatchFields = {
  readonly inputFileId: string;
  readonly endpoint: BatchEndpoint;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** How long the files of results are kept. */
  readonly outputKeptSeconds: number;
};

/** Throws a Fault that names the field. */
export function parseBatchFields(fields: JsonObject): BatchFields {
  const {
    input_file_id,
    endpoint,
    completion_window,
    metadata,
    output_expires_after: expiry,
    ...others
  } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw badValue(unknown, "it is no field of a batch. See POST /v1/batches in /openapi.json");
  }
  const path = parseText("endpoint", endpoint);
  const known = batchEndpoints.find((one) => one === path);
  if (known === undefined) throw notSupported("endpoint", path, batchEndpoints);
  const window = parseText("completion_window", completion_window);
  if (window !== "24h") throw notSupported("completion_window", window, ["24h"]);
  return {
    inputFileId: parseText("input_file_id", input_file_id),
    endpoint: known,
    metadata: parseMetadata(metadata),
    outputKeptSeconds:
      expiry === undefined || expiry === null
        ? batchKeptSeconds
        : parseKeptSeconds("output_expires_after", expiry),
  };
}

/** Throws a Fault that names the field. */
export function parseText(param: string, value: unknown): string {
  if (value === undefined) throw missing(param);
  if (typeof value !== "string") throw wrongType(param, "a string", value);
  return value;
}

/** Source: OpenAI's API. */
const pairsMax = 16;
const nameMaxChars = 64;
const textMaxChars = 512;

function parseMetadata(value: unknown): BatchFields["metadata"] {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw wrongType("metadata", "an object", value);
  const pairs = Object.entries<JsonObject[string]>(value);
  if (pairs.length > pairsMax) throw badValue("metadata", `it has more than ${pairsMax} members`);
  return Object.fromEntries(
    pairs.map(([name, text]) => {
      const param = "metadata";
      if (name.length > nameMaxChars) throw tooLong(param, nameMaxChars, name.length);
      if (typeof text !== "string") throw wrongType(param, "an object of strings", text);
      if (text.length > textMaxChars) throw tooLong(param, textMaxChars, text.length);
      return [name, text] as const;
    }),
  );
}

export type BatchQuery = { readonly limit: number; readonly after: string | undefined };

const limitMax = 100;

/** Throws a Fault that names the parameter. */
export function parseBatchQuery(query: URLSearchParams): BatchQuery {
  return { limit: parseLimit(query, limitMax), after: query.get("after") ?? undefined };
}

const limitDefault = 20;

/** How many batches a page has. Throws a Fault that names the parameter. */
export function parseLimit(query: URLSearchParams, max: number): number {
  const text = query.get("limit");
  const limit = text === null ? limitDefault : Number(text);
  if (text === "" || !Number.isInteger(limit)) throw badValue("limit", "it must be an integer");
  if (limit < 1) throw belowMinimum("limit", "integer", 1, limit);
  if (limit > max) throw aboveMaximum("limit", "integer", max, limit);
  return limit;
}
