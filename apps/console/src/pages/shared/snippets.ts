// The first call in every language: runnable as pasted, with the base URL and the model filled in and the
// key read from `$API_KEY`, or written out where it is shown once.
import type { Snippet } from "../../ui/code-snippet.tsx";

export type SnippetFacts = {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Only inside the dialog that reveals it. */
  readonly apiKey?: string;
};

/** curl, Python, Node and the AI SDK. */
export function firstCallSnippets(facts: SnippetFacts): readonly Snippet[] {
  return [
    { id: "curl", label: "curl", language: "bash", code: curl(facts) },
    { id: "python", label: "Python", language: "python", code: python(facts) },
    { id: "node", label: "Node", language: "javascript", code: node(facts) },
    { id: "ai-sdk", label: "AI SDK", language: "javascript", code: aiSdk(facts) },
  ];
}

function curl({ baseUrl, model, apiKey }: SnippetFacts): string {
  return `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${apiKey ?? "$API_KEY"}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{ "role": "user", "content": "Hello!" }]
  }'`;
}

function python({ baseUrl, model, apiKey }: SnippetFacts): string {
  const key = apiKey === undefined ? 'os.environ["API_KEY"]' : `"${apiKey}"`;
  return `${apiKey === undefined ? "import os\n" : ""}from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}",
    api_key=${key},
)
completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello!"}],
)
print(completion.choices[0].message.content)`;
}

function node({ baseUrl, model, apiKey }: SnippetFacts): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${baseUrl}",
  apiKey: ${keyInJavascript(apiKey)},
});
const completion = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Hello!" }],
});
console.log(completion.choices[0].message.content);`;
}

function aiSdk({ baseUrl, model, apiKey }: SnippetFacts): string {
  return `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const provider = createOpenAICompatible({
  name: "gateway",
  baseURL: "${baseUrl}",
  apiKey: ${keyInJavascript(apiKey)},
});
const { text } = await generateText({
  model: provider("${model}"),
  prompt: "Hello!",
});
console.log(text);`;
}

function keyInJavascript(apiKey: string | undefined): string {
  return apiKey === undefined ? "process.env.API_KEY" : `"${apiKey}"`;
}
