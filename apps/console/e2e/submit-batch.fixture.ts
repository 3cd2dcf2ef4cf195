// Batches as programs submit them while the console is looked at.
import { models } from "./catalog.fixture.ts";
import { type Environment, useEnvironment } from "./environment.fixture.ts";

export const endpoint = "/v1/chat/completions";

export function writeLine(id: string, content = "Hello!"): string {
  const body = { model: models.mini, messages: [{ role: "user", content }] };
  return JSON.stringify({ custom_id: id, method: "POST", url: endpoint, body });
}

async function post(
  { baseUrl }: Environment,
  key: string,
  path: string,
  body: FormData | object,
): Promise<string> {
  const isForm = body instanceof FormData;
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      ...(!isForm && { "content-type": "application/json" }),
    },
    body: isForm ? body : JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (typeof answer === "object" && answer !== null && "id" in answer) return String(answer.id);
  throw new Error(JSON.stringify(answer));
}

function upload(key: string, text: string, name: string): Promise<string> {
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("file", new Blob([text]), name);
  return post(useEnvironment(), key, "/files", form);
}

/** Its id. */
export async function submitBatch(key: string, text: string): Promise<string> {
  const input = { input_file_id: await upload(key, text, "lines.jsonl"), endpoint };
  return post(useEnvironment(), key, "/batches", { ...input, completion_window: "24h" });
}
