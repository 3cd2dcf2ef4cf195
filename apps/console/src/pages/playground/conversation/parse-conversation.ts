// Parses the file of a conversation. Throws NotAConversation, whose message says what is wrong and where.
import { type Attachment, acceptableTypes, attachmentsMax } from "../composer/attachments.ts";
import {
  type Conversation,
  columnsMax,
  efforts,
  hasMessages,
  type Message,
  nameCharsMax,
  newThread,
  noParameters,
  type Parameters,
  type RunFacts,
  type Thread,
  type ToolCall,
} from "./conversation.ts";
import { type Fields, NotAConversation, parseFields } from "./parse-fields.ts";

export const fileCharsMax = 24 * 1_048_576;
/** Without the data of files: a browser stores a few megabytes in total. */
const textCharsMax = 1_048_576;
const messagesMax = 1_000;
const providerCharsMax = 63;
const toolCallsMax = 128;
const dataCharsMax = 4.5 * 1_048_576;

/** Returns a new conversation. Throws NotAConversation. */
export function parseConversation(text: string): Conversation {
  if (text.length > fileCharsMax) throw new NotAConversation("The file is larger than 24 MB.");
  const conversation = parseFields(parseJson(text), "", parseFile);
  if (!hasMessages(conversation)) throw new NotAConversation("The file has no messages.");
  const chars = JSON.stringify(conversation, (name, value) => (name === "dataUrl" ? "" : value));
  if (chars.length > textCharsMax) {
    throw new NotAConversation("The conversation has more than 1 MB of text.");
  }
  return conversation;
}

function parseFile(file: Fields): Conversation {
  if (file.take("format") !== "turnpike-conversation") {
    throw new NotAConversation("This is not the file of a conversation.");
  }
  if (file.take("version") !== 1) {
    throw new NotAConversation("The file is not of version 1. Export it again.");
  }
  return {
    id: crypto.randomUUID(),
    name: file.text("name", nameCharsMax) || undefined,
    updatedAt: Date.now(),
    system: file.text("system"),
    parameters: file.fields("parameters", parseParameters) ?? noParameters,
    threads: file.list("threads", columnsMax, parseThread),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotAConversation("The file is not JSON.");
  }
}

function parseParameters(from: Fields): Parameters {
  return {
    effort: from.oneOf("effort", efforts),
    provider: from.text("provider", providerCharsMax),
    temperature: from.text("temperature", 32),
    maxTokens: from.text("maxTokens", 32),
    topP: from.text("topP", 32),
    stop: from.text("stop"),
    json: from.flag("json"),
    schema: from.text("schema"),
    tools: from.text("tools"),
    mocks: from.fields("mocks", parseMocks) ?? {},
  };
}

function parseMocks(from: Fields): Parameters["mocks"] {
  return Object.fromEntries(from.names().map((name) => [name, from.text(name)]));
}

function parseThread(from: Fields): Thread {
  return newThread(from.needed("model", 128), from.list("messages", messagesMax, parseMessage));
}

function parseMessage(from: Fields): Message {
  return {
    id: crypto.randomUUID(),
    role: from.oneOf("role", ["user", "assistant"] as const),
    text: from.text("text"),
    attachments: from.list("attachments", attachmentsMax, parseAttachment),
    reasoning: from.text("reasoning"),
    toolCalls: from.list("toolCalls", toolCallsMax, parseToolCall),
    run: from.fields("run", parseRun),
  };
}

function parseAttachment(from: Fields): Attachment {
  const attachment = {
    name: from.needed("name", 255),
    mimeType: from.oneOf("mimeType", acceptableTypes),
    dataUrl: from.text("dataUrl", dataCharsMax),
  };
  const { mimeType, dataUrl } = attachment;
  const [head = "", data = ""] = dataUrl.split(",", 2);
  const isData = head === `data:${mimeType};base64` && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  if (dataUrl !== "" && !isData) throw from.wrong("dataUrl", `must be ${mimeType} in base64`);
  return attachment;
}

function parseToolCall(from: Fields): ToolCall {
  return {
    id: from.needed("id", 200),
    name: from.text("name", 200),
    arguments: from.text("arguments"),
    result: from.text("result"),
  };
}

/** An answer that broke off has no reason to have finished. */
function parseRun(from: Fields): RunFacts {
  const promptTokens = from.count("promptTokens");
  const completionTokens = from.count("completionTokens");
  const costUsd = from.text("costUsd", 32) || undefined;
  if (costUsd !== undefined && !/^\d{1,10}(?:\.\d{1,12})?$/.test(costUsd)) {
    throw from.wrong("costUsd", "must be a decimal");
  }
  const schema = from.text("schema");
  return {
    model: from.needed("model", 128),
    firstTokenMs: from.count("firstTokenMs"),
    totalMs: from.count("totalMs"),
    usage:
      promptTokens === undefined || completionTokens === undefined
        ? undefined
        : { promptTokens, completionTokens, costUsd },
    ending: { kind: "complete", finishReason: from.text("finishReason", 64) || undefined },
    ...(schema !== "" && { schema }),
  };
}
