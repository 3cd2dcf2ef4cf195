// The conversations of one account, stored in this browser only, until sign-out. When storage is full, the
// oldest are dropped; data of another version is not trusted.

import { conversationsKey } from "../../../lib/stored-conversations.ts";
import { asList, asRecord } from "../../../product/completions/parse-chunk.ts";
import { forget } from "../composer/attachments.ts";
import {
  type Conversation,
  hasMessages,
  type Message,
  noParameters,
  type Parameters,
  type Thread,
} from "../conversation/conversation.ts";

const kept = 30;

export type Saved = {
  /** Newest first. */
  readonly conversations: readonly Conversation[];
  readonly draft: string;
};

export type History = {
  readonly read: () => Saved;
  readonly write: (saved: Saved) => void;
  readonly clear: () => void;
};

export function createHistory(accountId: string): History {
  const key = conversationsKey(accountId);
  return {
    read() {
      try {
        return parseSaved(JSON.parse(localStorage.getItem(key) ?? "{}"));
      } catch {
        return { conversations: [], draft: "" };
      }
    },
    write({ conversations, draft }) {
      const worth = conversations.filter(hasMessages).slice(0, kept);
      // Keep half as many each time, until they fit.
      for (let count = worth.length; ; count = Math.floor(count / 2)) {
        try {
          localStorage.setItem(
            key,
            JSON.stringify({ conversations: worth.slice(0, count).map(withoutFiles), draft }),
          );
          return;
        } catch {
          if (count === 0) return;
        }
      }
    },
    clear() {
      try {
        localStorage.removeItem(key);
      } catch {
        // Nothing could be stored.
      }
    },
  };
}

/** Storage holds a few megabytes in total. */
function withoutFiles(conversation: Conversation): Conversation {
  const threads = conversation.threads.map((thread) => ({
    ...thread,
    messages: thread.messages.map((message) => ({
      ...message,
      attachments: message.attachments.map(forget),
    })),
  }));
  return { ...conversation, threads };
}

function parseSaved(value: unknown): Saved {
  const saved = asRecord(value);
  return {
    conversations: asList(saved.conversations).flatMap(
      (one) => parseConversation(asRecord(one)) ?? [],
    ),
    draft: typeof saved.draft === "string" ? saved.draft : "",
  };
}

function parseConversation(one: Record<string, unknown>): Conversation | undefined {
  if (typeof one.id !== "string") return undefined;
  // Those of earlier versions had one model and its messages.
  const threads: readonly unknown[] = Array.isArray(one.threads) ? one.threads : [one];
  const conversation = {
    id: one.id,
    name: typeof one.name === "string" ? one.name : undefined,
    updatedAt: typeof one.updatedAt === "number" ? one.updatedAt : 0,
    system: typeof one.system === "string" ? one.system : "",
    parameters: parseParameters(asRecord(one.parameters)),
    threads: threads.flatMap((thread) => parseThread(asRecord(thread)) ?? []),
  };
  return hasMessages(conversation) ? conversation : undefined;
}

function parseThread({ id, model, messages }: Record<string, unknown>): Thread | undefined {
  if (typeof id !== "string" || typeof model !== "string") return undefined;
  if (!Array.isArray(messages)) return undefined;
  return { id, model, messages: messages.filter(isMessage).map(complete) };
}

/** Each as it was typed; what is missing or of another type is as in an empty form. */
function parseParameters(value: Record<string, unknown>): Parameters {
  const typed = Object.entries(noParameters).flatMap(([name, empty]) =>
    typeof value[name] === typeof empty ? [[name, value[name]]] : [],
  );
  const mocks = Object.entries(asRecord(value.mocks)).map(([name, text]) => [name, String(text)]);
  return { ...noParameters, ...Object.fromEntries(typed), mocks: Object.fromEntries(mocks) };
}

type StoredMessage = Omit<Message, "attachments"> & Partial<Pick<Message, "attachments">>;

/** Guarantee: data written by this file has the rest of the shape. */
function isMessage(value: unknown): value is StoredMessage {
  const { id, role, text, reasoning, toolCalls } = asRecord(value);
  return (
    typeof id === "string" &&
    (role === "user" || role === "assistant") &&
    typeof text === "string" &&
    typeof reasoning === "string" &&
    Array.isArray(toolCalls)
  );
}

/** Earlier versions left out an empty list. An answer that was streaming when the page was closed is no longer running. */
function complete({ attachments = [], ...message }: StoredMessage): Message {
  const run = message.run && { ending: { kind: "stopped" } as const, ...message.run };
  return { ...message, attachments, run };
}
