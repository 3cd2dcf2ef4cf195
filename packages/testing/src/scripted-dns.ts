// A name server on loopback that knows only the TXT records a test gives it; every other name does not exist.

import { createSocket } from "node:dgram";

export type ScriptedDns = {
  /** `address:port`. */
  readonly address: string;
  /** By name. */
  readonly records: Map<string, readonly string[]>;
  readonly close: () => Promise<void>;
};

const headerBytes = 12;
const txt = 16;

export async function startScriptedDns(): Promise<ScriptedDns> {
  const socket = createSocket("udp4");
  const records = new Map<string, readonly string[]>();
  socket.on("message", (query, { address, port }) =>
    socket.send(answer(query, records), port, address),
  );
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", () => resolve()));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function answer(query: Buffer, records: ScriptedDns["records"]): Buffer {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
    at += 1 + length;
  }
  const question = query.subarray(headerBytes, at + 5);
  const found = records.get(labels.join(".").toLowerCase()) ?? [];
  const answers = found.map(writeTxt);
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  const noSuchName = 3;
  header.writeUInt16BE(0x8180 + (found.length === 0 ? noSuchName : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers]);
}

/** Refers to the name of the question; a text is cut into parts of at most 255 bytes. */
function writeTxt(text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += 255) {
    const part = bytes.subarray(from, from + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 + headerBytes, 0);
  head.writeUInt16BE(txt, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
