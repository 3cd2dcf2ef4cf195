// Calls the scripted upstream as a gateway would, with JSON or a form.
import { fieldsOf } from "./parse-chat-body.ts";
import type { ScriptedUpstream } from "./scripted-upstream.ts";

export async function postJson(upstream: ScriptedUpstream, path: string, body: unknown) {
  const response = await post(upstream, path, body);
  const text = await response.text();
  const answer = fieldsOf(JSON.parse(text));
  return { status: response.status, answer, error: fieldsOf(answer.error) };
}

export function post(upstream: ScriptedUpstream, path: string, body: unknown): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(`${upstream.url}${path}`, {
    method: "POST",
    ...(!isForm && { headers: { "content-type": "application/json" } }),
    body: isForm ? body : JSON.stringify(body),
  });
}

/** The events of a stream, in order. */
export async function eventsOf(response: Response): Promise<readonly Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .split("\n\n")
    .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.[1] ?? [])
    .map((json) => ({ ...fieldsOf(JSON.parse(json)) }));
}
