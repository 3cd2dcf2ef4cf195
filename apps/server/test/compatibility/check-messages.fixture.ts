// What a message may contain, according to Anthropic's API reference: blocks one after the other, each
// begun, filled and ended, and one end. Written without our code.
import { asObject, type JsonObject } from "../harness/index.ts";
import {
  checkError,
  fail,
  isCount,
  isText,
  listOf,
  must,
  readFrames,
  type Verdict,
} from "./check-frames.fixture.ts";

/** The deltas that a block of each type may have; unknown types are not checked. */
const deltasOf: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
  redacted_thinking: [],
};

class MessageCheck {
  #begun = false;
  #stopped = false;
  #blocks = 0;
  #open: string | undefined;
  readonly #isOwn: boolean;
  text = "";
  ended: Verdict["ended"] | undefined;

  constructor(isOwn: boolean) {
    this.#isOwn = isOwn;
  }

  read(event: JsonObject): void {
    must(this.ended === undefined, "an event follows the end", event);
    const { type } = event;
    if (type === "ping") return;
    if (type === "error") {
      checkError(event, ["type"]);
      this.ended = "failed";
      return;
    }
    must(this.#begun !== (type === "message_start"), "it does not begin once", event);
    this.#begun = true;
    if (type === "content_block_start") this.#begin(event);
    else if (type === "content_block_delta") this.#fill(event);
    else if (type === "content_block_stop") this.#close(event);
    else if (type === "message_delta") this.#stop(event);
    else if (type === "message_stop") {
      must(this.#stopped, "no reason for the end", event);
      this.ended = "whole";
    }
  }

  #begin(event: JsonObject): void {
    must(this.#open === undefined && !this.#stopped, "a block begins inside another", event);
    must(event.index === this.#blocks, "a block with the wrong index", event);
    this.#blocks += 1;
    const { type, name } = asObject(event.content_block);
    this.#open = String(type);
    if (isText(name)) this.text += name;
  }

  #fill(event: JsonObject): void {
    const delta = asObject(event.delta);
    must(this.#open !== undefined && event.index === this.#blocks - 1, "no open block", event);
    const expected = deltasOf[this.#open];
    if (!this.#isOwn) must(expected?.includes(String(delta.type)) === true, "a delta", event);
    for (const said of [delta.text, delta.thinking, delta.partial_json]) {
      if (isText(said)) this.text += said;
    }
  }

  #close(event: JsonObject): void {
    must(this.#open !== undefined && event.index === this.#blocks - 1, "no open block", event);
    this.#open = undefined;
  }

  #stop(event: JsonObject): void {
    must(this.#open === undefined, "it ends inside a block", event);
    if (!this.#isOwn) must(isText(asObject(event.delta).stop_reason), "no reason", event);
    this.#stopped = true;
  }
}

/** `isOwn`: the content of blocks is the upstream's, and only the order is checked. */
export function checkMessagesStream(stream: string, isOwn: boolean): Verdict {
  const check = new MessageCheck(isOwn);
  for (const { name, event } of readFrames(stream)) {
    must(event !== undefined && event.type === name, "an event without its name", event ?? name);
    check.read(event);
  }
  return { ended: check.ended ?? fail("the stream has no end"), text: check.text };
}

export function checkMessagesBody(body: JsonObject): Verdict {
  must(body.type === "message" && body.role === "assistant" && isText(body.id), "identity", body);
  must(isText(body.stop_reason), "no stop_reason", body);
  const { input_tokens: input, output_tokens: output } = asObject(body.usage);
  must(isCount(input) && isCount(output), "usage", body);
  const texts = listOf(body.content, "content").flatMap(({ text, thinking, name }) =>
    [text, thinking, name].filter(isText),
  );
  return { ended: "whole", text: texts.join("") };
}
