// Compares requests and answers with what `/openapi.json` of the running server says of them.
import { expect } from "bun:test";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readJson, type TestServer } from "../harness/index.ts";

type Described = {
  readonly status: number;
  readonly body: unknown;
  /** Default: JSON. */
  readonly type?: string;
};

/** Fails the test unless the answer has the schema of its operation, e.g. `GET /management/keys`. */
export type ExpectDescribed = (call: string, answer: Described) => void;

/** What is wrong with a body of a request or an answer; undefined where nothing is described. */
export type FindProblems = (
  call: string,
  where: readonly string[],
  body: unknown,
) => readonly unknown[] | undefined;

export async function readProblems({ url }: Pick<TestServer, "url">): Promise<FindProblems> {
  const openapi = await readJson(await fetch(`${url}/openapi.json`));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const format of ["unixtime", "float", "double"]) ajv.addFormat(format, true);
  ajv.addSchema(openapi, "openapi");
  return (call, where, body) => {
    const [method = "", path = ""] = call.split(" ");
    const pointer = ["paths", path, method.toLowerCase(), ...where, "schema"]
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const validate = ajv.getSchema(`openapi#/${pointer}`);
    if (validate === undefined) return undefined;
    return validate(body) ? [] : (validate.errors ?? []);
  };
}

export async function readDescription(server: Pick<TestServer, "url">): Promise<ExpectDescribed> {
  const findProblems = await readProblems(server);
  return (call, { status, body, type = "application/json" }) => {
    const where = ["responses", String(status), "content", type];
    const problems = findProblems(call.replace(" ", " /v1"), where, body);
    if (problems === undefined) throw new Error(`${call} has no answer with ${status}`);
    expect([call, problems]).toEqual([call, []]);
  };
}
