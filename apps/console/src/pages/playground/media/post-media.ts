// Asks the playground's routes for images, audio and transcripts. Every way a request can end has a name; nothing is thrown.
import { accountHeaders } from "../../../lib/account-address.ts";
import { type Failure, failed, readRefusal } from "../../../product/completions/run-completion.ts";

export type MediaFailure = { readonly kind: "failed"; readonly failure: Failure };

export type MediaAnswer = {
  readonly kind: "answered";
  readonly response: Response;
  readonly requestId: string | undefined;
  /** As in Logs. */
  readonly generationId: string | undefined;
};

/** A form is sent as it is, everything else as JSON. An answer that is refused is a failure; its body is not read yet. */
export async function postMedia(
  path: string,
  body: FormData | object,
  signal: AbortSignal,
): Promise<MediaAnswer | MediaFailure> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(`/console/playground/${path}`, {
      method: "POST",
      // The browser names the boundary of a form.
      headers: { ...(!isForm && { "content-type": "application/json" }), ...accountHeaders() },
      body: isForm ? body : JSON.stringify(body),
      signal,
    });
    const requestId = response.headers.get("x-request-id") ?? undefined;
    if (!response.ok) return { kind: "failed", failure: await readRefusal(response, requestId) };
    const generationId = response.headers.get("x-generation-id") ?? undefined;
    return { kind: "answered", response, requestId, generationId };
  } catch {
    return lost();
  }
}

/** The connection ended before the answer did. */
export function lost(requestId?: string): MediaFailure {
  return { kind: "failed", failure: failed("offline", requestId) };
}
