// Whether a provider accepts its credential, by a call that is free: its list of models, or a token for it. Nothing of
// the credential is in the result.
import { Fault } from "@turnpike/base";
import { authorizeRequest } from "../credentials/authorize-request.ts";
import { addCredential, isActive } from "../credentials/credential.ts";
import type { Provider } from "../provider.ts";
import { whyBaseUrlRefused } from "./check-base-url.ts";
import { get } from "./post.ts";

export type CredentialTrial = {
  readonly result: "accepted" | "refused" | "unreachable" | "untried";
  /** Words for an operator. */
  readonly detail: string;
};

const waitMs = 10_000;

/** Never rejects. */
export async function tryCredential(
  provider: Provider,
  { allowPrivate }: { readonly allowPrivate: boolean },
): Promise<CredentialTrial> {
  const { baseUrl, credential } = provider;
  const refused = whyBaseUrlRefused(baseUrl, { allowPrivate });
  if (refused !== undefined) return { result: "unreachable", detail: `its base URL ${refused}` };
  if (credential.scheme === "aws-sigv4") {
    return { result: "untried", detail: "Bedrock has no call that is free at its runtime address" };
  }
  // Deepgram lists its models for everyone.
  const url = `${baseUrl}/${provider.kind === "deepgram" ? "projects" : "models"}`;
  try {
    let headers = headersOf(provider);
    if (isActive(credential)) {
      headers = await authorizeRequest(credential, { url, headers, body: "" });
      return { result: "accepted", detail: "a token was issued" };
    }
    const { status, body } = await get(url, headers, AbortSignal.timeout(waitMs));
    await body?.cancel();
    return judge(status);
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.details.upstreamStatus === 401) {
      return { result: "refused", detail: "by its token endpoint" };
    }
    return { result: "unreachable", detail: thrown instanceof Error ? thrown.message : "" };
  }
}

function headersOf({ kind, credential }: Provider): Headers {
  const headers = new Headers({
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "Turnpike/0.1",
  });
  if (kind === "anthropic") headers.set("anthropic-version", "2023-06-01");
  addCredential(headers, credential);
  return headers;
}

function judge(status: number): CredentialTrial {
  if (status < 300) return { result: "accepted", detail: "it lists its models" };
  if (status === 401 || status === 403) return { result: "refused", detail: `status ${status}` };
  // Some services that speak OpenAI's API have no list of models.
  if (status === 404 || status === 405) {
    return { result: "untried", detail: "it has no list of models" };
  }
  return { result: "unreachable", detail: `status ${status}` };
}
