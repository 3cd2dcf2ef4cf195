// The request that every side gets: an ordinary small chat, as an SDK would send it, or the same with
// a prompt of a megabyte.
import { modelId } from "./bill.ts";

const system = { role: "system", content: "You are a helpful assistant. Answer briefly." };
const question = "What does a turnpike have to do with paying for one's journey?";
const longPrompt = `${"All work and no play makes a dull day. ".repeat(27_000)}${question}`;

export type RequestInput = {
  port: number;
  /** Sent as a bearer token, unless `headers` contain their own Authorization. */
  key: string;
  stream: boolean;
  /** Extra lines of the head, which a peer needs. */
  headers?: readonly string[];
  /** A prompt of a megabyte. */
  long?: boolean;
  /** Default: `modelId`. */
  model?: string;
};

/** Head and body, ready to be written to a socket. */
export function writeRequest({
  port,
  key,
  stream,
  headers = [],
  long,
  model = modelId,
}: RequestInput): Buffer {
  const body = JSON.stringify({
    model,
    messages: [system, { role: "user", content: long === true ? longPrompt : question }],
    temperature: 0.7,
    max_tokens: 4096,
    ...(stream && { stream }),
  });
  const isAuthorized = headers.some((line) => line.startsWith("Authorization:"));
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    ...(isAuthorized ? [] : [`Authorization: Bearer ${key}`]),
    "Content-Type: application/json",
    "Accept: application/json",
    "User-Agent: bench/1.0",
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}
