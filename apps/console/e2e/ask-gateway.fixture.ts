// Calls `/v1` as a customer's program does.
import type { Environment } from "./environment.fixture.ts";

export type ChatAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
};

export async function askChat(
  { baseUrl }: Environment,
  key: string,
  body: { readonly model: string; readonly content?: string } & Record<string, unknown>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ChatAnswer> {
  const { content = "Hello!", ...rest } = body;
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ messages: [{ role: "user", content }], ...rest }),
  });
  return { status: response.status, headers: response.headers, body: await readBody(response) };
}

/** Calls another endpoint; its answer is read to the end, whatever it contains. */
export async function askGateway(
  { baseUrl }: Environment,
  key: string,
  path: string,
  body: object,
): Promise<Pick<ChatAnswer, "status" | "headers">> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response;
}

/** The status of `GET /v1/models`, which costs nothing and needs a key. */
export async function askModels({ baseUrl }: Environment, key: string): Promise<number> {
  const response = await fetch(`${baseUrl}/models`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Every body of `/v1` without streaming is a JSON object. */
async function readBody(response: Response): Promise<ChatAnswer["body"]> {
  return (await response.json()) as ChatAnswer["body"];
}
