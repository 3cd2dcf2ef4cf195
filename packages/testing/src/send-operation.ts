// Sends the answer of a request that is no chat, with the waits and breaks of its script.

import type { AnswerWriter } from "./http-connection.ts";
import { BrokenOff } from "./http-connection.ts";
import { openaiFormat } from "./openai-format.ts";
import type { OperationAnswer, Piece } from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";

export type SendingOperation = {
  readonly script: Script;
  readonly writer: AnswerWriter;
  /** Resolves when a gated answer may go on. */
  readonly opened: Promise<void>;
  readonly sendHead: (headers: Readonly<Record<string, string>>) => Promise<void>;
  /** Where the script breaks a stream, counted in deltas. */
  readonly broken: { readonly after: number; readonly how: BrokenOff["how"] } | undefined;
};

/** True if the connection can carry another request. Throws `BrokenOff`. */
export async function sendOperation(
  { type, body, usage }: OperationAnswer,
  sending: SendingOperation,
): Promise<boolean> {
  if (typeof body === "string" || body instanceof Uint8Array) {
    return sendBody(type, typeof body === "string" ? Buffer.from(body) : body, usage, sending);
  }
  return sendPieces(type, body, sending);
}

async function sendBody(
  type: string,
  whole: Uint8Array,
  usage: unknown,
  { script, writer, sendHead, broken }: SendingOperation,
): Promise<boolean> {
  const bytes = script.garbage === "json" ? whole.subarray(0, whole.length / 2) : whole;
  await sendHead({
    "content-type": type,
    ...(script.keepAlive ? {} : { "content-length": String(bytes.length) }),
  });
  if (script.keepAlive) await writer.write("\n\n");
  if (broken) {
    await writer.write(bytes.subarray(0, bytes.length / 2));
    throw new BrokenOff(broken.how);
  }
  await writer.write(bytes, { usage });
  return writer.end();
}

async function sendPieces(
  type: string,
  pieces: readonly Piece[],
  { script, writer, opened, sendHead, broken }: SendingOperation,
): Promise<boolean> {
  await sendHead({ "content-type": type });
  let deltas = 0;
  let isGated = script.gate === true;
  for (const { data, isDelta, usage } of pieces) {
    if (isDelta) {
      if (broken && deltas >= broken.after) throw new BrokenOff(broken.how);
      if (deltas === script.errorAfterDeltas) return endWithError(script, type, writer);
      await writer.connection.wait(script.paceMs ?? 0);
    } else {
      if (isGated) await writer.connection.waitFor(opened);
      isGated = false;
      if (broken) throw new BrokenOff(broken.how);
      if (script.errorAfterDeltas !== undefined) return endWithError(script, type, writer);
    }
    await writer.write(data, { deltas: isDelta ? 1 : 0, usage });
    if (isDelta) deltas += 1;
  }
  if (isGated) await writer.connection.waitFor(opened);
  if (broken) throw new BrokenOff(broken.how);
  return writer.end();
}

/** Bytes that are no events have no way to say what went wrong. */
async function endWithError({ error }: Script, type: string, writer: AnswerWriter) {
  if (!type.startsWith("text/event-stream")) throw new BrokenOff("cut");
  const { error: said } = fieldsOf(openaiFormat.errorBody(500, error));
  await writer.write(`event: error\ndata: ${JSON.stringify({ type: "error", error: said })}\n\n`);
  return writer.end();
}
