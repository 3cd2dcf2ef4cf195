// Reads a whole body up to a limit, under the deadlines of its call. Once its client has disconnected, an
// answer is not kept: only what its bill needs stays in memory.

import type { UpstreamClient } from "../provider.ts";
import type { UpstreamLimits } from "../upstream-limits.ts";
import { beginsAsJson } from "./body-form.ts";
import { MemberScan } from "./scan-members.ts";
import type { UpstreamConnection } from "./upstream-connection.ts";

const decoder = new TextDecoder();

export type ReadBody = {
  /** Empty if the data was scanned instead. */
  readonly text: string;
  /** False when there were more than `maxBytes`. */
  readonly complete: boolean;
  /** Of an answer that became unread. */
  readonly scanned?: MemberScan | undefined;
};

/** The bytes as text, `counted` as they come, or, once the answer is unread, passed to `scan` instead of being kept. */
export async function readBody(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  connection: Pick<UpstreamConnection, "startWaiting" | "stopWaiting" | "unread">,
  scan?: MemberScan,
  counted: (bytes: number) => void = () => undefined,
): Promise<ReadBody> {
  if (!body) return { text: "", complete: true };
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let scanned: MemberScan | undefined;
  let isJson: boolean | undefined;
  while (true) {
    connection.startWaiting();
    const { done, value } = await reader.read();
    connection.stopWaiting();
    if (done) return { text: decode(chunks), complete: true, scanned };
    chunks.push(value);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return { text: decode(chunks).slice(0, maxBytes), complete: false, scanned };
    }
    isJson ??= beginsAsJson(value);
    counted(size);
    // Only one JSON has what an unread answer is scanned for.
    if (scan === undefined || !connection.unread || !isJson) continue;
    scanned = scan;
    for (const chunk of chunks.splice(0)) scan.push(chunk);
  }
}

/**
 * The bytes of a body whose announced length is short, in one piece, for `readShort`. Its
 * head has arrived, so no more than the silence between two reads may pass until the rest has arrived.
 */
export function readShortBody(
  response: Response,
  connection: Pick<UpstreamConnection, "startWaiting" | "stopWaiting">,
): Promise<Uint8Array> {
  connection.stopWaiting();
  connection.startWaiting();
  return response.bytes();
}

/** What `readBody` makes of the bytes of a short body, which have arrived. */
export function readShort(
  bytes: Uint8Array,
  connection: Pick<UpstreamConnection, "stopWaiting" | "unread">,
): ReadBody {
  connection.stopWaiting();
  if (!connection.unread || !beginsAsJson(bytes)) {
    return { text: decoder.decode(bytes), complete: true };
  }
  const scan = new MemberScan();
  scan.push(bytes);
  return { text: "", complete: true, scanned: scan };
}

const stepBytes = 1024 * 1024;

/** Counts what an answer says of its length at once: of many that come together, those that fit are read to their end. */
export function countDeclared(
  response: Response,
  client: Pick<UpstreamClient, "countAnswer">,
  { maxBodyBytes }: Pick<UpstreamLimits, "maxBodyBytes">,
): (bytes: number) => void {
  const count = countLarge(client);
  count(Math.min(Number(response.headers.get("content-length") ?? 0), maxBodyBytes));
  return count;
}

/** Tells `client` each time that an answer has become larger by a mebibyte: what is small is not worth it. */
export function countLarge(
  client: Pick<UpstreamClient, "countAnswer"> | undefined,
): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    if (bytes - told < stepBytes) return;
    client?.countAnswer?.(bytes);
    told = bytes;
  };
}

function decode(chunks: readonly Uint8Array[]): string {
  const [first, second] = chunks;
  return decoder.decode(
    first !== undefined && second === undefined ? first : Buffer.concat(chunks),
  );
}
