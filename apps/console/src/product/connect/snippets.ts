// The first call in every language: runnable as pasted, with the base URL and the model filled in and the
// key read from `$API_KEY`, or written out if it is shown once.
import type { Snippet } from "../../ui/code/code-snippet.tsx";

export type SnippetFacts = {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Only inside the dialog that reveals it. */
  readonly apiKey?: string | undefined;
};

export type Call = {
  /** Below the base URL. */
  readonly path: string;
  /** The body's fields besides the model, as JSON. */
  readonly body: string;
  /** The file that curl writes an answer to that is no text. */
  readonly output?: string;
  readonly pythonImports?: readonly string[];
  readonly python: readonly string[];
  readonly nodeImports?: readonly string[];
  readonly node: readonly string[];
};

export type AiSdkCall = {
  readonly lines: readonly string[];
  /** What its code imports from `ai`. */
  readonly imports: string;
  /** Other lines of imports. */
  readonly nodeImports?: readonly string[];
};

const chat: Call = {
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
};

const chatOfAiSdk: AiSdkCall = {
  imports: "generateText",
  lines: [
    "const { text } = await generateText({",
    `  model: provider("{model}"),`,
    `  prompt: "Hello!",`,
    "});",
    "console.log(text);",
  ],
};

/** Of a chat model: curl, Python, Node and the AI SDK. */
export function firstCallSnippets(facts: SnippetFacts): readonly Snippet[] {
  return [...snippetsOf(facts, chat), aiSdk(facts, chatOfAiSdk)];
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
  { path, body, output }: Pick<Call, "path" | "body" | "output">,
): string {
  const json = `{
    "model": "${model}",
    ${body}
  }`;
  const command = curlWith(`${baseUrl}/${path}`, json, apiKey);
  return output === undefined
    ? command
    : `${command} \\
  --output ${output}`;
}

/** `form` has its fields besides the model. */
export function curlWithForm(
  { baseUrl, model, apiKey = "$API_KEY" }: SnippetFacts,
  { path, form }: { readonly path: string; readonly form: readonly string[] },
): string {
  const fields = [`model=${model}`, ...form].map((field) => `-F "${field}"`);
  return [`curl ${baseUrl}/${path}`, `-H "Authorization: Bearer ${apiKey}"`, ...fields].join(
    " \\\n  ",
  );
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
  const imports = [
    ...(call.pythonImports ?? []),
    ...(apiKey === undefined ? ["import os"] : []),
    "from openai import OpenAI",
  ];
  return `${imports.join("\n")}

client = OpenAI(
    base_url="${baseUrl}",
    api_key=${key},
)
${withModel(call.python, model)}`;
}

function node({ baseUrl, model, apiKey }: SnippetFacts, call: Call): string {
  const imports = [...(call.nodeImports ?? []), `import OpenAI from "openai";`];
  return `${imports.join("\n")}

const client = new OpenAI({
  baseURL: "${baseUrl}",
  apiKey: ${keyInJavascript(apiKey)},
});
${withModel(call.node, model)}`;
}

export function aiSdk({ baseUrl, model, apiKey }: SnippetFacts, call: AiSdkCall): Snippet {
  const imports = [
    ...(call.nodeImports ?? []),
    `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";`,
    `import { ${call.imports} } from "ai";`,
  ];
  const code = `${imports.join("\n")}

const provider = createOpenAICompatible({
  name: "gateway",
  baseURL: "${baseUrl}",
  apiKey: ${keyInJavascript(apiKey)},
});
${withModel(call.lines, model)}`;
  return { id: "ai-sdk", label: "AI SDK", language: "javascript", code };
}

function keyInJavascript(apiKey: string | undefined): string {
  return apiKey === undefined ? "process.env.API_KEY" : `"${apiKey}"`;
}
