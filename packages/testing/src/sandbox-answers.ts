// How the scripted upstream answers without a script: the `sandbox/*` models of development. Each is only
// a script, so a sandbox answer can do nothing that a scripted one cannot.
import type { ChatBody } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";

const story = `Every evening the lamplighter of Harrow Bridge counted the coins in her tin before she lit \
the first lamp. One coin, one flame: that was the rule, and she had never broken it.

Tonight there were eleven coins and twelve lamps. She lit eleven and stood a while in front of the \
last one. A ferryman, waiting for the dark to settle, called across the water: "Light it on trust. \
I'll pay in the morning."

"No," she said, "but I can hold the match for you while you look in your pockets."

He looked. There was a coin in the lining, small and bent, and it rang true on the stone. The \
twelfth lamp caught, and the river showed all of its stairs at once.

In the morning she opened the book and wrote it down: twelve lamps, twelve coins, nothing owed.`;

/** Upstream model names answered by the scripted upstream itself. */
export const sandboxModels = [
  "sandbox-echo",
  "sandbox-story",
  "sandbox-tools",
  "sandbox-reasoning",
  "sandbox-slow",
  "sandbox-claude",
  "sandbox-gemini",
  "sandbox-responses",
  "sandbox-embeddings",
] as const;

/** Of these its operation answers, whatever the name; these are the names with a meaning of their own. */
export const operationModels = [
  "sandbox-image",
  "sandbox-image-piece",
  "sandbox-speech",
  "sandbox-speech-tokens",
  "sandbox-transcription",
  "sandbox-transcription-tokens",
  "sandbox-transcription-diarize",
  "sandbox-rerank",
  "sandbox-rerank-tokens",
  "sandbox-moderation",
] as const;
type SandboxModel = (typeof sandboxModels)[number];

const answers = {
  "sandbox-echo": echo,
  "sandbox-story": () => ({ text: story, paceMs: 30 }),
  "sandbox-tools": callFirstTool,
  "sandbox-reasoning": (chat) => ({
    reasoning: 24,
    text: `Having thought about it: ${chat.lastUserText || "there was no question."}`,
    paceMs: 20,
  }),
  "sandbox-slow": () => ({
    text: "Good things take their time, and so did this answer.",
    firstByteMs: 3_000,
    paceMs: 400,
  }),
  "sandbox-claude": thinkAndRepeat,
  "sandbox-gemini": (chat) => ({
    ...(chat.tools.length > 0 ? callFirstTool(chat) : echo(chat)),
    ...(chat.asksThinking && { reasoning: 6 }),
  }),
  "sandbox-responses": thinkAndRepeat,
  "sandbox-embeddings": () => ({}),
} satisfies Record<SandboxModel, (chat: ChatBody) => Script>;

function echo(chat: ChatBody): Script {
  return { text: chat.lastUserText || "(nothing to echo)", paceMs: 15 };
}

/** It thinks where it is asked to. */
function thinkAndRepeat(chat: ChatBody): Script {
  return {
    ...(chat.asksThinking && { reasoning: 8, signature: "c2FuZGJveA==" }),
    text: chat.lastUserText || "(nothing to repeat)",
    paceMs: 15,
  };
}

function callFirstTool(chat: ChatBody): Script {
  const paceMs = 15;
  if (chat.toolResult !== undefined) return { text: `The tool says: ${chat.toolResult}`, paceMs };
  if (chat.tools.length === 0) return { text: "Offer me a tool and I will call it.", paceMs };
  return { toolCalls: 1, paceMs };
}

function isSandboxModel(model: string): model is SandboxModel {
  return Object.hasOwn(answers, model);
}

/** The answer for a request's model without a script. */
export function sandboxAnswer(chat: ChatBody): Script {
  if (isSandboxModel(chat.model)) return answers[chat.model](chat);
  return { text: "Hello from the scripted upstream." };
}
