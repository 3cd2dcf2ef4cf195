// OpenAI's older completions as their clients see them: one prompt in, one text out. Written from their
// reference, not with our code.
import { at } from "../harness/index.ts";
import { type ClientProtocol, chat, parseEvents, textOf } from "./protocols.fixture.ts";

export const completions: ClientProtocol = {
  name: "completions",
  path: "/completions",
  refused: {
    tools: "tools",
    "parallel tools": "tools",
    image: "prompt",
    schema: "response_format",
  },
  /** Features without a counterpart are requested as in a chat completion. */
  ask(model, question) {
    const { messages, ...same } = chat.ask(model, question);
    return { ...same, prompt: at(messages, "0.content") };
  },
  readWhole(body) {
    const choice = at(body, "choices.0");
    return {
      text: textOf(at(choice, "text")),
      calls: [],
      reasoned: textOf(at(choice, "reasoning")) !== "",
      complete: textOf(at(choice, "finish_reason")) !== "",
      failed: false,
    };
  },
  readStream(streamed) {
    const { events, done } = parseEvents(streamed);
    const replies = events.map((event) => completions.readWhole(event));
    return {
      text: replies.map(({ text }) => text).join(""),
      calls: [],
      reasoned: replies.some(({ reasoned }) => reasoned),
      complete: done && replies.some(({ complete }) => complete),
      failed: events.some((event) => "error" in event),
    };
  },
};
