// A first call of a model at each of the APIs that serve it: runnable as pasted, with the key read from `$API_KEY`.
import {
  type Call,
  curlOf,
  firstCallSnippets,
  type SnippetFacts,
  snippetsOf,
} from "../../product/connect/snippets.ts";
import type { Snippet } from "../../ui/code/code-snippet.tsx";

export const modelApis = [
  { id: "chat", label: "Chat completions" },
  { id: "responses", label: "Responses" },
  { id: "messages", label: "Messages" },
] as const;
export type ModelApi = (typeof modelApis)[number]["id"];

const responses: Call = {
  path: "responses",
  body: `"input": "Hello!"`,
  python: [
    "response = client.responses.create(",
    `    model="{model}",`,
    `    input="Hello!",`,
    ")",
    "print(response.output_text)",
  ],
  node: [
    "const response = await client.responses.create({",
    `  model: "{model}",`,
    `  input: "Hello!",`,
    "});",
    "console.log(response.output_text);",
  ],
};

export function apiSnippets(facts: SnippetFacts, modelApi: ModelApi): readonly Snippet[] {
  if (modelApi === "responses") return snippetsOf(facts, responses);
  return modelApi === "messages" ? messagesSnippets(facts) : firstCallSnippets(facts);
}

/** Anthropic's SDKs add `/v1` themselves. */
function messagesSnippets(facts: SnippetFacts): readonly Snippet[] {
  const body = `"max_tokens": 1024,\n    "messages": [{ "role": "user", "content": "Hello!" }]`;
  const { model } = facts;
  const baseUrl = facts.baseUrl.replace(/\/v1$/, "");
  const python = `import os
from anthropic import Anthropic

client = Anthropic(
    base_url="${baseUrl}",
    api_key=os.environ["API_KEY"],
)
message = client.messages.create(
    model="${model}",
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello!"}],
)
print(message.content[0].text)`;
  const node = `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({
  baseURL: "${baseUrl}",
  apiKey: process.env.API_KEY,
});
const message = await client.messages.create({
  model: "${model}",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(message.content);`;
  return [
    {
      id: "curl",
      label: "curl",
      language: "bash",
      code: curlOf(facts, { path: "messages", body }),
    },
    { id: "python", label: "Python", language: "python", code: python },
    { id: "node", label: "Node", language: "javascript", code: node },
  ];
}
