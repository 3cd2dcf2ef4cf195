// OpenAI's chat completions as services speak them that imitate it: `/chat/completions`, one JSON body
// or a stream of chunks that ends in `[DONE]`.
import { type ChatRequest, chatLanguage } from "@turnpike/wire";
import type { Dialect } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { ask } from "./ask.ts";
import { EventStream } from "./event-stream.ts";
import { readUnread, readWhole, refuseUnstreamed } from "./read-whole.ts";

export const openaiDialect: Dialect<ChatRequest> = {
  language: chatLanguage,
  ask,
  openStream: (call, options) => new EventStream(call, options),
  readWhole,
  readUnread,
  refuseUnstreamed,
  refuse,
};
