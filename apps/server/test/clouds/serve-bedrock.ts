// Amazon Bedrock as far as the tests need it: its addresses, its signatures and its event streams in front
// of the scripted upstream. It checks signatures itself, without the library that the gateway uses.
import { createHash, createHmac } from "node:crypto";
import { encodeException, encodeModelEvent } from "@turnpike/testing";
import { at } from "../harness/index.ts";
import type { ForwardUpstream, ServeCloud } from "./start-cloud.ts";

export const awsKey = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  sessionToken: "FwoGZXIvYXdzEBYaDNsessiontoken//+=",
};
export const bedrockApiKey = "bedrock-api-key-0123456789abcdef";

const address = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream)$/;

export const serveBedrock: ServeCloud = (request, body, forward) => {
  const { pathname } = new URL(request.url);
  const [, encoded, method] = address.exec(pathname) ?? [];
  if (encoded === undefined) return refusal(404, "UnknownOperationException", "No such path.");
  const problem = findProblem(request, pathname, body);
  if (problem !== undefined) return refusal(403, "InvalidSignatureException", problem);
  const parsed: unknown = JSON.parse(body);
  const isRight =
    at(parsed, "anthropic_version") === "bedrock-2023-05-31" &&
    at(parsed, "model") === undefined &&
    at(parsed, "stream") === undefined;
  if (!isRight) return refusal(400, "ValidationException", "Malformed input request.");
  const { anthropic_beta: _, ...asked } = Object(parsed);
  const stream = method === "invoke-with-response-stream";
  const sent = { ...asked, model: decodeURIComponent(encoded), ...(stream && { stream }) };
  return answer(forward, sent, stream);
};

async function answer(forward: ForwardUpstream, sent: object, stream: boolean): Promise<Response> {
  const response = await forward("/v1/messages", JSON.stringify(sent));
  if (response.status !== 200) return refuseAs(response);
  if (!stream || response.body === null) return response;
  return new Response(response.body.pipeThrough(wrapEvents()), {
    headers: { "content-type": "application/vnd.amazon.eventstream" },
  });
}

/** AWS names the kind of an error in a header, and has only a message in the body. */
async function refuseAs(response: Response): Promise<Response> {
  const message = String(at(await response.json(), "error.message"));
  const names: Record<number, string> = {
    429: "ThrottlingException",
    503: "ServiceUnavailableException",
  };
  const wait = response.headers.get("retry-after");
  const refused = refusal(
    response.status,
    names[response.status] ?? "ValidationException",
    message,
  );
  if (wait !== null) refused.headers.set("retry-after", wait);
  return refused;
}

function refusal(status: number, name: string, message: string): Response {
  const headers = { "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/` };
  return Response.json({ message }, { status, headers });
}

/** Anthropic's events as frames, and its errors as exceptions. */
function wrapEvents(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let pending = "";
  return new TransformStream({
    transform(bytes, controller) {
      const events = (pending + decoder.decode(bytes, { stream: true })).split("\n\n");
      pending = events.pop() ?? "";
      for (const event of events) controller.enqueue(wrapEvent(event));
    },
  });
}

function wrapEvent(event: string): Uint8Array {
  const json = /^data: (.*)$/m.exec(event)?.[1] ?? "{}";
  const message = at(JSON.parse(json), "error.message");
  if (message === undefined) return encodeModelEvent(json);
  return encodeException("modelStreamErrorException", { message, originalStatusCode: 500 });
}

/** Why the credential of a request is refused. */
function findProblem(request: Request, pathname: string, body: string): string | undefined {
  const header = request.headers.get("authorization") ?? "";
  if (header === `Bearer ${bedrockApiKey}`) return undefined;
  const [, scope = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? [];
  if (signature === undefined) return "The authorization header is malformed.";
  if (request.headers.get("x-amz-security-token") !== awsKey.sessionToken) return "No session.";
  const date = request.headers.get("x-amz-date") ?? "";
  if (Math.abs(Date.now() - parseDate(date)) > 5 * 60_000) return "Signature expired.";
  const signed = names.split(";");
  for (const needed of ["host", "x-amz-date", "x-amz-security-token"]) {
    if (!signed.includes(needed)) return `${needed} is not signed.`;
  }
  const canonical = [
    "POST",
    // Every service except S3 encodes the path once more.
    pathname.split("/").map(encodeURIComponent).join("/"),
    "",
    ...signed.map((name) => `${name}:${request.headers.get(name)?.trim()}`),
    "",
    names,
    hash(body),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", date, scope, hash(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${awsKey.secretAccessKey}`);
  return hmac(key, text).toString("hex") === signature ? undefined : "The signatures differ.";
}

function parseDate(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
