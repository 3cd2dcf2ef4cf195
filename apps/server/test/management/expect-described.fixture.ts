// Compares answers of the management API with what `/openapi.json` of the running server says.
import { expect } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readJson, type TestServer } from "../harness/index.ts";
import type { Asked } from "./open-management.fixture.ts";

/** Fails the test unless the answer has the schema of its operation. */
export type ExpectDescribed = (call: string, asked: Asked) => void;

export async function readDescription({ url }: Pick<TestServer, "url">): Promise<ExpectDescribed> {
  const openapi = await readJson(await fetch(`${url}/openapi.json`));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(openapi, "openapi");
  return (call, { status, body }) => {
    const [method = "", path = ""] = call.split(" ");
    const content = ["responses", String(status), "content", "application/json", "schema"];
    const pointer = ["paths", `/v1${path}`, method.toLowerCase(), ...content]
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = ajv.getSchema(`openapi#/${pointer}`);
    if (validate === undefined) throw new Error(`${call} has no answer with ${status}`);
    expect([call, validate(body) ? [] : validate.errors]).toEqual([call, []]);
  };
}
