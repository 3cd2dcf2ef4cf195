// What every refusal of `/v1` has in common: its schema, its ids, the headers a browser needs, and
// nothing about our internals.
import { expect } from "bun:test";
import { asObject, type JsonObject } from "./ask-server.ts";
import { findSchemaProblems } from "./find-schema-problems.ts";

export type ExpectedFault = {
  readonly status: number;
  readonly type?: string;
  readonly code: string | null;
  /** Default null. */
  readonly param?: string | null;
};

/** Returns the `error` object for further checks. */
export async function expectFault(
  response: Response,
  { status, type = "invalid_request_error", code, param = null }: ExpectedFault,
): Promise<JsonObject> {
  const body: unknown = await response.json();
  const error = asObject(asObject(body).error);
  const { status: given } = response;
  expect({ status: given, type: error.type, code: error.code, param: error.param }).toEqual({
    status,
    type,
    code,
    param,
  });
  expect(findSchemaProblems("ErrorResponse", body)).toEqual([]);
  expect(String(error.message).length).toBeGreaterThan(10);
  expect(JSON.stringify(body)).not.toMatch(/\/packages\/|\.ts:\d|node_modules|postgres/);
  expect(response.headers.get("content-type")).toBe("application/json");
  expectCallHeaders(response.headers);
  return error;
}

/** The headers of every answer under `/v1`, successful or not. */
export function expectCallHeaders(headers: Headers): void {
  expect(headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
  expect(headers.get("x-generation-id")).toMatch(/^gen-[0-9a-f]{32}$/);
  expect(headers.get("openai-processing-ms")).toMatch(/^\d+$/);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  const exposed = headers.get("access-control-expose-headers")?.split(", ");
  expect(exposed).toEqual(
    expect.arrayContaining(["x-request-id", "x-generation-id", "retry-after", "x-should-retry"]),
  );
}
