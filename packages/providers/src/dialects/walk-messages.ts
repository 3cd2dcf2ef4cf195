// A chat completion's conversation for dialects that rewrite it message by message, without what no other
// language has.
import { isObject, type JsonObject } from "@turnpike/base";
import { untranslatable } from "../untranslatable.ts";

/** `path` names the message for a refusal. */
type Write = (message: JsonObject, path: string) => void;

/** How messages are written, by their role. */
export type MessageWriters = {
  /** Of the roles `system` and `developer`. */
  readonly instructions: Write;
  readonly user: Write;
  readonly assistant: Write;
  readonly tool: Write;
  /** Why the audio of an earlier answer cannot be shown. */
  readonly whyNoAudio: string;
};

/** Throws the Fault of the first message that cannot be written. */
export function walkMessages(messages: unknown, writers: MessageWriters): void {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  list.forEach((message, index) => {
    if (isObject(message)) write(message, `messages[${index}]`, writers);
  });
}

function write(message: JsonObject, path: string, writers: MessageWriters): void {
  if (message.role === "assistant" && isObject(message.audio)) {
    throw untranslatable(`${path}.audio`, writers.whyNoAudio);
  }
  writerFor(message.role, writers)(message, path);
}

function writerFor(role: unknown, writers: MessageWriters): Write {
  if (role === "system" || role === "developer") return writers.instructions;
  return role === "assistant" || role === "tool" ? writers[role] : writers.user;
}
