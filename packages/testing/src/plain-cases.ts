// Common cases that every upstream must serve in the same way: our scripted one and the independent mock
// peer, so that both cannot share one misunderstanding of the format.
import type { Script } from "./parse-script.ts";

type PlainCase = {
  /** The user message that selects it. */
  message: string;
  /** How the scripted upstream answers, and what the mock peer is set up to say. */
  script: Script;
};

export const plainCases = {
  text: { message: "Say hello.", script: { text: "Hello to you, and good morning." } },
  tool: {
    message: "What is the weather in Oslo?",
    script: { toolCalls: [{ name: "get_weather", arguments: '{"city":"Oslo","days":3}' }] },
  },
  busy: { message: "Be busy.", script: { status: 429, error: "Busy. Try again later." } },
} as const satisfies Record<string, PlainCase>;

/** For `upstream.script(answerPlainCase)`: answers the messages above. */
export function answerPlainCase({ chat }: { chat: { lastUserText: string } }): Script | undefined {
  return Object.values(plainCases).find(({ message }) => message === chat.lastUserText)?.script;
}
