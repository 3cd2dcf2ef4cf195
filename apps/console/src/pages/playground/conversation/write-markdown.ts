// A conversation as Markdown, for people: who said what, without settings and figures.
import { type Conversation, type Message, titleOf } from "./conversation.ts";

export function writeMarkdown(conversation: Conversation, nameOf: (model: string) => string) {
  const { system, threads } = conversation;
  const parts = threads.flatMap(({ model, messages }) => [
    ...(threads.length > 1 ? [`## ${nameOf(model)}`] : []),
    ...messages.flatMap((message) => partsOf(message, nameOf)),
  ]);
  const prompt = system.trim() === "" ? [] : ["**System prompt**", quote(system)];
  return `${[`# ${titleOf(conversation)}`, ...prompt, ...parts].join("\n\n")}\n`;
}

function partsOf(message: Message, nameOf: (model: string) => string): readonly string[] {
  const { role, text, attachments, toolCalls, run } = message;
  return [
    `### ${role === "user" ? "You" : nameOf(run?.model ?? "Assistant")}`,
    ...(text === "" ? [] : [text]),
    ...attachments.map(({ name }) => `*Attached: ${name}*`),
    ...toolCalls.flatMap((call) => [
      `*Calls ${call.name}*`,
      fence(call.arguments, "json"),
      ...(call.result === "" ? [] : ["*Result*", fence(call.result, "")]),
    ]),
  ];
}

function quote(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}

/** Longer than every run of backticks in it. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}
