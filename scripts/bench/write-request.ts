// The one request every side is sent: an ordinary small chat, as an SDK would word it.
import { modelId } from "./bill.ts";

const messages = [
  { role: "system", content: "You are a helpful assistant. Answer briefly and to the point." },
  { role: "user", content: "What does a turnpike have to do with paying one's way?" },
];

/** Head and body, ready to be written to a socket. */
export function writeRequest(port: number, key: string, stream: boolean): Buffer {
  const body = JSON.stringify({
    model: modelId,
    messages,
    temperature: 0.7,
    max_tokens: 512,
    ...(stream && { stream }),
  });
  const head = [
    "POST /v1/chat/completions HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Accept: application/json",
    "User-Agent: bench/1.0",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}
