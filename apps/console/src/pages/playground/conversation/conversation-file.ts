// A conversation as a file: what is downloaded, shared in an account, and read again. `docs/conversations.md` describes
// the format. Reading is strict, because a file may come from anywhere; what is wrong with it is said with its place.
import type { Attachment } from "../composer/attachments.ts";
import { type Conversation, type Message, type RunFacts, titleOf } from "./conversation.ts";

const format = "turnpike-conversation";
const version = 1;

/** Ids of requests are left out: they belong to the account in which the answers were paid. */
export function writeConversation(conversation: Conversation, indent = 2): string {
  const { system, parameters, threads } = conversation;
  const file = {
    format,
    version,
    name: titleOf(conversation),
    system,
    parameters,
    threads: threads.map(({ model, messages }) => ({
      model,
      messages: messages.map(writeMessage),
    })),
  };
  return JSON.stringify(file, undefined, indent);
}

function writeMessage(message: Message) {
  const { role, text, attachments, reasoning, toolCalls, run } = message;
  return {
    role,
    text,
    ...(attachments.length > 0 && { attachments: attachments.map(writeAttachment) }),
    ...(reasoning !== "" && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(run && { run: writeRun(run) }),
  };
}

/** The data of a file is gone after a reload. */
function writeAttachment({ name, mimeType, dataUrl }: Attachment) {
  return { name, mimeType, ...(dataUrl !== "" && { dataUrl }) };
}

function writeRun({ model, firstTokenMs, totalMs, usage, ending, schema }: RunFacts) {
  const finishReason = ending?.kind === "complete" ? ending.finishReason : undefined;
  return {
    model,
    firstTokenMs,
    totalMs,
    promptTokens: usage?.promptTokens,
    completionTokens: usage?.completionTokens,
    costUsd: usage?.costUsd,
    finishReason,
    schema,
  };
}
