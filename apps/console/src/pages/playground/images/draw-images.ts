// Asks for images, and before that what they may cost. Every way it can end has a name; nothing is thrown.
import { accountHeaders } from "../../../lib/account-address.ts";
import { asList, asRecord } from "../../../product/completions/parse-chunk.ts";
import { type Failure, failed, readRefusal } from "../../../product/completions/run-completion.ts";

/** What is left out is up to the model. */
export type ImageBody = {
  readonly model: string;
  readonly prompt: string;
  readonly size?: string;
  readonly quality?: string;
  readonly n: number;
};

export type DrawnImage = { readonly base64: string; readonly type: string };

export type Drawn =
  | { readonly kind: "drawn"; readonly images: readonly DrawnImage[]; readonly costUsd: string }
  | { readonly kind: "failed"; readonly failure: Failure };

export async function drawImages(body: ImageBody, signal: AbortSignal): Promise<Drawn> {
  const answer = await post("images", body, signal);
  if (answer.kind === "failed") return answer;
  const { data, usage } = answer.body;
  const images = asList(data).flatMap((one) => {
    const { b64_json: base64 } = asRecord(one);
    return typeof base64 === "string" ? [{ base64, type: typeOf(base64) }] : [];
  });
  const { cost } = asRecord(usage);
  return { kind: "drawn", images, costUsd: typeof cost === "number" ? cost.toFixed(9) : "0" };
}

export type Estimated =
  | { readonly kind: "estimated"; readonly maxUsd: string }
  | { readonly kind: "failed"; readonly failure: Failure };

export async function estimateImages(body: ImageBody, signal: AbortSignal): Promise<Estimated> {
  const answer = await post("estimate", body, signal);
  if (answer.kind === "failed") return answer;
  const { max_cost_usd: maxUsd } = answer.body;
  if (typeof maxUsd !== "string") return { kind: "failed", failure: failed("offline") };
  return { kind: "estimated", maxUsd };
}

type Posted =
  | { readonly kind: "answered"; readonly body: Record<string, unknown> }
  | { readonly kind: "failed"; readonly failure: Failure };

async function post(path: string, body: ImageBody, signal: AbortSignal): Promise<Posted> {
  try {
    const response = await fetch(`/console/playground/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...accountHeaders() },
      body: JSON.stringify(body),
      signal,
    });
    const requestId = response.headers.get("x-request-id") ?? undefined;
    if (!response.ok) return { kind: "failed", failure: await readRefusal(response, requestId) };
    return { kind: "answered", body: asRecord(await response.json()) };
  } catch {
    return { kind: "failed", failure: failed("offline") };
  }
}

/** By how the bytes of each format begin. */
function typeOf(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  return base64.startsWith("UklGR") ? "image/webp" : "image/png";
}
