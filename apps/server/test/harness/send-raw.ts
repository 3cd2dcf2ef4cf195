// Bytes on a socket, for requests that no HTTP client would send.
import { connect } from "node:net";
import type { JsonObject } from "./ask-server.ts";

export type RawAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
};

/** Sends `text` (lines end in `\r\n`) and reads until the server closes the connection: request that. */
export async function sendRaw(port: number, text: string): Promise<RawAnswer> {
  const received = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
  const end = received.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = received.slice(0, end).split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status: Number(statusLine.split(" ")[1]), headers, body: received.slice(end + 4) };
}

/** A POST of JSON as text; its connection stays open. */
export function rawPost(path: string, headers: Readonly<Record<string, string>>, body: JsonObject) {
  const json = JSON.stringify(body);
  const sent = { host: "localhost", ...headers, "content-type": "application/json" };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  const length = `content-length: ${Buffer.byteLength(json)}`;
  return [`POST ${path} HTTP/1.1`, ...lines, length, "", json].join("\r\n");
}
