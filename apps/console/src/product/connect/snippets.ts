// The first call in every language: runnable as pasted, with the base URL and the model filled in and the
// key read from `$API_KEY`, or written out if it is shown once.
import type { Operation } from "../../lib/queries.ts";
import type { Snippet } from "../../ui/code/code-snippet.tsx";

export type SnippetFacts = {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** What the model does; chat unless given. */
  readonly operation?: Operation | undefined;
  /** Only inside the dialog that reveals it. */
  readonly apiKey?: string | undefined;
};

export type Call = {
  /** Below the base URL. */
  readonly path: string;
  /** The body's fields besides the model, as JSON. */
  readonly body: string;
  readonly python: readonly string[];
  readonly node: readonly string[];
};

type AiSdkCall = {
  readonly aiSdk: readonly string[];
  /** What its code imports from `ai`. */
  readonly aiSdkImport: string;
};

const calls = {
  chat: {
    path: "chat/completions",
    body: `"messages": [{ "role": "user", "content": "Hello!" }]`,
    python: [
      "completion = client.chat.completions.create(",
      `    model="{model}",`,
      `    messages=[{"role": "user", "content": "Hello!"}],`,
      ")",
      "print(completion.choices[0].message.content)",
    ],
    node: [
      "const completion = await client.chat.completions.create({",
      `  model: "{model}",`,
      `  messages: [{ role: "user", content: "Hello!" }],`,
      "});",
      "console.log(completion.choices[0].message.content);",
    ],
    aiSdkImport: "generateText",
    aiSdk: [
      "const { text } = await generateText({",
      `  model: provider("{model}"),`,
      `  prompt: "Hello!",`,
      "});",
      "console.log(text);",
    ],
  },
  embeddings: {
    path: "embeddings",
    body: `"input": "Hello!"`,
    python: [
      "result = client.embeddings.create(",
      `    model="{model}",`,
      `    input="Hello!",`,
      ")",
      "print(result.data[0].embedding)",
    ],
    node: [
      "const result = await client.embeddings.create({",
      `  model: "{model}",`,
      `  input: "Hello!",`,
      "});",
      "console.log(result.data[0].embedding);",
    ],
    aiSdkImport: "embed",
    aiSdk: [
      "const { embedding } = await embed({",
      `  model: provider.embeddingModel("{model}"),`,
      `  value: "Hello!",`,
      "});",
      "console.log(embedding);",
    ],
  },
} as const satisfies Partial<Record<Operation, Call & AiSdkCall>>;

/** That of a chat for an operation without snippets. */
function callOf(operation: Operation = "chat"): Call & AiSdkCall {
  const known: Readonly<Partial<Record<Operation, Call & AiSdkCall>>> = calls;
  return known[operation] ?? calls.chat;
}

/** curl, Python, Node and the AI SDK. */
export function firstCallSnippets(facts: SnippetFacts): readonly Snippet[] {
  const call = callOf(facts.operation);
  const code = aiSdk(facts, call);
  return [
    ...snippetsOf(facts, call),
    { id: "ai-sdk", label: "AI SDK", language: "javascript", code },
  ];
}

/** curl, Python and Node. */
export function snippetsOf(facts: SnippetFacts, call: Call): readonly Snippet[] {
  return [
    { id: "curl", label: "curl", language: "bash", code: curlOf(facts, call) },
    { id: "python", label: "Python", language: "python", code: python(facts, call) },
    { id: "node", label: "Node", language: "javascript", code: node(facts, call) },
  ];
}

function withModel(lines: readonly string[], model: string): string {
  return lines.join("\n").replace("{model}", model);
}

export function curlOf(
  { baseUrl, model, apiKey }: SnippetFacts,
  { path, body }: Pick<Call, "path" | "body">,
): string {
  const json = `{
    "model": "${model}",
    ${body}
  }`;
  return curlWith(`${baseUrl}/${path}`, json, apiKey);
}

/** `json` may contain quotes: the shell passes it on as it is. */
export function curlWith(url: string, json: string, apiKey = "$API_KEY"): string {
  return `curl ${url} \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", `'\\''`)}'`;
}

function python({ baseUrl, model, apiKey }: SnippetFacts, call: Call): string {
  const key = apiKey === undefined ? 'os.environ["API_KEY"]' : `"${apiKey}"`;
  return `${apiKey === undefined ? "import os\n" : ""}from openai import OpenAI

client = OpenAI(
    base_url="${baseUrl}",
    api_key=${key},
)
${withModel(call.python, model)}`;
}

function node({ baseUrl, model, apiKey }: SnippetFacts, call: Call): string {
  return `import OpenAI from "openai";

const client = new OpenAI({
  baseURL: "${baseUrl}",
  apiKey: ${keyInJavascript(apiKey)},
});
${withModel(call.node, model)}`;
}

function aiSdk({ baseUrl, model, apiKey }: SnippetFacts, call: AiSdkCall): string {
  return `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { ${call.aiSdkImport} } from "ai";

const provider = createOpenAICompatible({
  name: "gateway",
  baseURL: "${baseUrl}",
  apiKey: ${keyInJavascript(apiKey)},
});
${withModel(call.aiSdk, model)}`;
}

function keyInJavascript(apiKey: string | undefined): string {
  return apiKey === undefined ? "process.env.API_KEY" : `"${apiKey}"`;
}
