// Azure OpenAI as far as the tests need it: its addresses and its credential in front of the scripted
// upstream, and the results of its content filter at the start of every stream.
import type { ForwardUpstream } from "./start-cloud.ts";

export const azureKey = "azure-key-0123456789abcdef";

export const entraSecret = "entra~secret.0123456789";

const promptResults =
  'data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}]}\n\n';
const dated = /^\/openai\/deployments\/([^/]+)\/(chat\/completions|embeddings)$/;
const undated = /^\/openai\/v1\/(chat\/completions|embeddings|responses)$/;

/** Answers like the resource at `/azure`. */
export async function serveAzure(
  request: Request,
  body: string,
  forward: ForwardUpstream,
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/entra/my-tenant/oauth2/v2.0/token") return issueToken(body);
  const path = pathname.replace(/^\/azure/, "");
  const [, deployment, operation] = dated.exec(path) ?? [];
  const [, undatedOperation] = undated.exec(path) ?? [];
  const found = operation ?? undatedOperation;
  if (found === undefined || (operation !== undefined) !== searchParams.has("api-version")) {
    return refusal(404, "404", "Resource not found");
  }
  const isAllowed =
    request.headers.get("api-key") === azureKey ||
    request.headers.get("authorization") === `Bearer ${azureKey}`;
  if (!isAllowed) {
    return refusal(401, "401", "Access denied due to invalid subscription key.");
  }
  if (deployment === "missing") {
    return refusal(404, "DeploymentNotFound", "The API deployment does not exist.");
  }
  const answer = await forward(`/v1/${found}`, body);
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || answer.body === null) return answer;
  return new Response(startWith(promptResults, answer.body), { headers: answer.headers });
}

function issueToken(body: string): Response {
  const expected = {
    grant_type: "client_credentials",
    client_id: "my-app",
    client_secret: entraSecret,
    scope: "https://cognitiveservices.azure.com/.default",
  };
  if (!Bun.deepEquals(Object.fromEntries(new URLSearchParams(body)), expected)) {
    return Response.json({ error: "invalid_client" }, { status: 401 });
  }
  return Response.json({ access_token: azureKey, expires_in: 3599 });
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}

function startWith(text: string, rest: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const first = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  return rest.pipeThrough(first);
}
