// Every snippet of the docs: runnable as pasted, with the base URL and a model of this instance
// filled in and the key read from `$API_KEY`. Tests run each of them that is a program.

import { operationSnippets } from "../../product/connect/operation-snippets.ts";
import { firstCallSnippets } from "../../product/connect/snippets.ts";
import { toolSetups } from "../../product/connect/tool-setups.ts";
import type { Snippet } from "../../ui/code/code-snippet.tsx";
import type { DocFacts } from "./doc-facts.ts";

/** By the name a page uses: ```` ```snippet first ````. */
export function docSnippets(facts: DocFacts): Readonly<Record<string, readonly Snippet[]>> {
  return {
    key: [bash("key", "Shell", `export API_KEY="sk-tp-..."`)],
    install: installs,
    first: firstCallSnippets(facts),
    image: operationSnippets({ ...facts, model: facts.imageModel }, "image"),
    rerank: operationSnippets({ ...facts, model: facts.rerankModel }, "rerank"),
    moderation: operationSnippets({ ...facts, model: facts.moderationModel }, "moderation"),
    models: [bash("curl", "curl", get(facts, "models"))],
    account: accountSnippets(facts),
    stream: streamSnippets(facts),
    tools: toolsSnippets(facts),
    errors: errorSnippets(facts),
    ...toolSnippets(facts),
    langchain: langchainSnippets(facts),
    "langchain-install": [
      bash("python", "Python", "pip install langchain-openai"),
      bash("node", "Node", "npm install @langchain/openai"),
    ],
  };
}

/** Their pages have samples that are written there, or that tests run. */
const withSamples = ["langchain", "ai-sdk", "ai-sdk-gateway", "claude-code", "gemini-cli"];

/** By the id of the tool. */
function toolSnippets(facts: DocFacts): Readonly<Record<string, readonly Snippet[]>> {
  const setups = toolSetups(facts).filter(({ id }) => !withSamples.includes(id));
  return Object.fromEntries(setups.map(({ id, snippet }) => [id, [{ ...snippet, id }]]));
}

function bash(id: string, label: string, code: string): Snippet {
  return { id, label, language: "bash", code };
}

function python(code: string): Snippet {
  return { id: "python", label: "Python", language: "python", code };
}

function node(code: string, id = "node", label = "Node"): Snippet {
  return { id, label, language: "javascript", code };
}

const installs: readonly Snippet[] = [
  bash("python", "Python", "pip install openai"),
  bash("node", "Node", "npm install openai"),
  bash("ai-sdk", "AI SDK", "npm install ai @ai-sdk/openai-compatible"),
];

function accountSnippets(facts: DocFacts): readonly Snippet[] {
  return [
    bash("credits", "Balance", get(facts, "credits")),
    bash("key", "This key", get(facts, "key")),
  ];
}

function get({ baseUrl }: DocFacts, path: string): string {
  return `curl ${baseUrl}/${path} \\\n  -H "Authorization: Bearer $API_KEY"`;
}

function streamSnippets({ baseUrl, model }: DocFacts): readonly Snippet[] {
  const curl = `curl -N ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{ "role": "user", "content": "Tell me a story." }],
    "stream": true,
    "stream_options": { "include_usage": true }
  }'`;
  return [
    bash("curl", "curl", curl),
    python(`import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["API_KEY"])
stream = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Tell me a story."}],
    stream=True,
    stream_options={"include_usage": True},
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)
    if chunk.usage:
        print(f"\\nUSD {chunk.usage.model_extra['cost']:.9f}")`),
    node(`import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: process.env.API_KEY });
const stream = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Tell me a story." }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  if (chunk.usage) console.log("\\nUSD", chunk.usage.cost);
}`),
    node(
      `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";

const provider = createOpenAICompatible({
  name: "gateway",
  baseURL: "${baseUrl}",
  apiKey: process.env.API_KEY,
  includeUsage: true,
});
const { textStream } = streamText({
  model: provider("${model}"),
  prompt: "Tell me a story.",
});
for await (const text of textStream) process.stdout.write(text);`,
      "ai-sdk",
      "AI SDK",
    ),
  ];
}

function toolsSnippets({ baseUrl, toolsModel }: DocFacts): readonly Snippet[] {
  return [
    python(`import json
import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["API_KEY"])
tools = [{
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string"}},
            "required": ["city"],
        },
    },
}]
messages = [{"role": "user", "content": "What is the weather in Oslo?"}]
answer = client.chat.completions.create(model="${toolsModel}", messages=messages, tools=tools)
message = answer.choices[0].message
messages.append(message)
for call in message.tool_calls or []:
    result = {"city": "Oslo", "celsius": 4}
    messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})
answer = client.chat.completions.create(model="${toolsModel}", messages=messages, tools=tools)
print(answer.choices[0].message.content)`),
    node(`import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: process.env.API_KEY });
const model = "${toolsModel}";
const tools = [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "The weather in a city.",
      parameters: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
    },
  },
];
const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
const first = await client.chat.completions.create({ model, messages, tools });
const { message } = first.choices[0];
messages.push(message);
for (const call of message.tool_calls ?? []) {
  const result = { city: "Oslo", celsius: 4 };
  messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });
}
const second = await client.chat.completions.create({ model, messages, tools });
console.log(second.choices[0].message.content);`),
  ];
}

function errorSnippets({ baseUrl }: DocFacts): readonly Snippet[] {
  return [
    python(`import os
from openai import APIStatusError, OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["API_KEY"])
try:
    client.chat.completions.create(
        model="no/such-model",
        messages=[{"role": "user", "content": "Hello!"}],
    )
except APIStatusError as error:
    print(error.status_code, error.code, error.request_id)`),
    node(`import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: process.env.API_KEY });
try {
  await client.chat.completions.create({
    model: "no/such-model",
    messages: [{ role: "user", content: "Hello!" }],
  });
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error;
  console.log(error.status, error.code, error.requestID);
}`),
  ];
}

function langchainSnippets({ baseUrl, model }: DocFacts): readonly Snippet[] {
  return [
    python(`import os
from langchain_openai import ChatOpenAI

llm = ChatOpenAI(
    model="${model}",
    base_url="${baseUrl}",
    api_key=os.environ["API_KEY"],
)
print(llm.invoke("Hello!").content)`),
    node(`import { ChatOpenAI } from "@langchain/openai";

const llm = new ChatOpenAI({
  model: "${model}",
  apiKey: process.env.API_KEY,
  configuration: { baseURL: "${baseUrl}" },
});
const answer = await llm.invoke("Hello!");
console.log(answer.content);`),
  ];
}
