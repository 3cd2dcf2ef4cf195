// Vertex AI as far as the tests need it: its token endpoint, its addresses and its credential in front of
// the scripted upstream. It checks assertions itself, without the library that the gateway uses.
import { generateKeyPairSync, verify } from "node:crypto";
import { at } from "../harness/index.ts";
import type { ForwardUpstream, ServeCloud } from "./start-cloud.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const clientEmail = "gateway@my-project.iam.gserviceaccount.com";

export const vertexPrivateKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** The JSON file of a service account whose tokens come from the cloud at `url`. */
export function serviceAccountJson(url: string, tokenPath = "/token"): string {
  return JSON.stringify({
    type: "service_account",
    project_id: "my-project",
    private_key_id: "key-1",
    private_key: vertexPrivateKey,
    client_email: clientEmail,
    token_uri: `${url}${tokenPath}`,
  });
}

export type Vertex = {
  readonly serve: ServeCloud;
  /** How many tokens were issued. */
  readonly issued: () => number;
  /** Invalidates all tokens issued so far. */
  readonly revokeTokens: () => void;
};

const prefix = "/v1/projects/my-project/locations/europe-west1";
const gemini = /^\/publishers\/google\/models\/([\w.-]+):(generateContent|streamGenerateContent)$/;
const claude = /^\/publishers\/anthropic\/models\/([\w.@-]+):(rawPredict|streamRawPredict)$/;

export function createVertex(): Vertex {
  let issued = 0;
  const good = new Set<string>();
  const issue = (body: string): Response => {
    if (!isSigned(new URLSearchParams(body).get("assertion") ?? "")) {
      const error_description = "Invalid JWT Signature.";
      return Response.json({ error: "invalid_grant", error_description }, { status: 400 });
    }
    issued += 1;
    const access_token = `ya29.token-${issued}`;
    good.add(access_token);
    return Response.json({ access_token, expires_in: 3599, token_type: "Bearer" });
  };
  return {
    issued: () => issued,
    revokeTokens: () => good.clear(),
    serve(request, body, forward) {
      const { pathname, search } = new URL(request.url);
      if (pathname === "/token") return issue(body);
      if (pathname === "/refusing-token") return Response.json({ error: "x" }, { status: 401 });
      const token = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
      if (!good.has(token)) return refusal(401, "UNAUTHENTICATED", "Invalid credentials.");
      if (!pathname.startsWith(prefix)) return refusal(404, "NOT_FOUND", "No such location.");
      return answer(pathname.slice(prefix.length), search, body, forward);
    },
  };
}

function answer(path: string, search: string, body: string, forward: ForwardUpstream) {
  const [, model, method] = gemini.exec(path) ?? [];
  if (method !== undefined) return forward(`/v1beta/models/${model}:${method}${search}`, body);
  const [, claudeModel, predict] = claude.exec(path) ?? [];
  const parsed: unknown = JSON.parse(body);
  const isRight =
    at(parsed, "anthropic_version") === "vertex-2023-10-16" &&
    at(parsed, "model") === undefined &&
    at(parsed, "anthropic_beta") === undefined &&
    (at(parsed, "stream") === true) === (predict === "streamRawPredict");
  if (claudeModel === undefined || !isRight) return refusal(400, "INVALID_ARGUMENT", "Not so.");
  return forward("/v1/messages", JSON.stringify({ ...Object(parsed), model: claudeModel }));
}

function refusal(code: number, status: string, message: string): Response {
  return Response.json([{ error: { code, status, message } }], { status: code });
}

function isSigned(assertion: string): boolean {
  const [header = "", claims = "", signature = ""] = assertion.split(".");
  const { iss, exp } = JSON.parse(Buffer.from(claims, "base64url").toString() || "{}");
  if (iss !== clientEmail || !(Number(exp) * 1000 > Date.now())) return false;
  const bytes = Buffer.from(signature, "base64url");
  return verify("sha256", Buffer.from(`${header}.${claims}`), publicKey, bytes);
}
