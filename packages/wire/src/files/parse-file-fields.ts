// The fields of `POST /v1/files` besides the file, as OpenAI's clients send them, and the query of `GET /v1/files`.
import { isObject, type JsonObject } from "@turnpike/base";
import {
  aboveMaximum,
  badValue,
  belowMinimum,
  missing,
  notSupported,
  wrongType,
} from "../checks/body-fault.ts";
import type { FieldShapes } from "../multipart/form-fields.ts";

export const filePurposes = ["batch", "user_data", "vision"] as const;
export type FilePurpose = (typeof filePurposes)[number];

export const fileFormShapes: FieldShapes = {
  expires_after: { object: { anchor: "text", seconds: "number" } },
};

const keptSecondsMin = 3_600;
const keptSecondsMax = 2_592_000;
/** Source: OpenAI's API, where only files of batches expire by themselves. */
export const batchKeptSeconds = keptSecondsMax;

export type FileFields = {
  readonly purpose: FilePurpose;
  /** Undefined: until it is deleted. */
  readonly keptSeconds: number | undefined;
};

/** Throws a Fault that names the field. */
export function parseFileFields({ purpose, expires_after, ...others }: JsonObject): FileFields {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw badValue(unknown, "it is no field of a file. Send 'file', 'purpose' and 'expires_after'");
  }
  if (purpose === undefined) throw missing("purpose");
  if (typeof purpose !== "string") throw wrongType("purpose", "a string", purpose);
  const known = filePurposes.find((one) => one === purpose);
  if (known === undefined) throw notSupported("purpose", purpose, filePurposes);
  const byDefault = known === "batch" ? batchKeptSeconds : undefined;
  return {
    purpose: known,
    keptSeconds:
      expires_after === undefined ? byDefault : parseKeptSeconds("expires_after", expires_after),
  };
}

/** How long a file is kept, as the field `name` says it. Throws a Fault that names what is wrong with it. */
export function parseKeptSeconds(name: string, value: unknown): number {
  if (!isObject(value)) throw wrongType(name, "an object", value);
  const { anchor, seconds } = value;
  if (anchor === undefined) throw missing(`${name}.anchor`);
  if (anchor !== "created_at") {
    throw notSupported(`${name}.anchor`, String(anchor), ["created_at"]);
  }
  const param = `${name}.seconds`;
  if (seconds === undefined) throw missing(param);
  if (typeof seconds !== "number" || !Number.isInteger(seconds)) {
    throw wrongType(param, "an integer", seconds);
  }
  if (seconds < keptSecondsMin) throw belowMinimum(param, "integer", keptSecondsMin, seconds);
  if (seconds > keptSecondsMax) throw aboveMaximum(param, "integer", keptSecondsMax, seconds);
  return seconds;
}

export type FileQuery = {
  readonly purpose: string | undefined;
  readonly limit: number;
  readonly order: "asc" | "desc";
  readonly after: string | undefined;
};

const limitMax = 10_000;

/** Throws a Fault that names the parameter. */
export function parseFileQuery(query: URLSearchParams): FileQuery {
  const order = query.get("order") ?? "desc";
  if (order !== "asc" && order !== "desc") throw notSupported("order", order, ["asc", "desc"]);
  const text = query.get("limit");
  const limit = text === null ? limitMax : Number(text);
  if (text === "" || !Number.isInteger(limit)) throw badValue("limit", "it must be an integer");
  if (limit < 1) throw belowMinimum("limit", "integer", 1, limit);
  if (limit > limitMax) throw aboveMaximum("limit", "integer", limitMax, limit);
  const after = query.get("after") ?? undefined;
  return { purpose: query.get("purpose") ?? undefined, limit, order, after };
}
