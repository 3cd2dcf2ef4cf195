// A request as code that sends it, with the key taken from `$API_KEY`.
import type { Snippet } from "../../../ui/code/code-snippet.tsx";

export function requestSnippets(baseUrl: string, request: object): readonly Snippet[] {
  const streamed = { ...request, stream: true };
  return [
    { id: "curl", label: "curl", language: "bash", code: curl(baseUrl, streamed) },
    { id: "python", label: "Python", language: "python", code: python(baseUrl, streamed) },
    { id: "node", label: "Node", language: "javascript", code: node(baseUrl, streamed) },
  ];
}

function curl(baseUrl: string, request: object): string {
  const body = JSON.stringify(request, null, 2).replaceAll("'", "'\\''");
  return `curl -N ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
}

function python(baseUrl: string, request: object): string {
  const fields = Object.entries(ofOpenai(request)).map(
    ([name, value]) => `    ${name}=${pythonLiteral(value, 1)},`,
  );
  return `import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["API_KEY"])
stream = client.chat.completions.create(
${fields.join("\n")}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`;
}

/** OpenAI's client takes what is not OpenAI's in a place of its own. */
function ofOpenai({ provider, ...request }: { readonly provider?: unknown }): object {
  return provider === undefined ? request : { ...request, extra_body: { provider } };
}

function node(baseUrl: string, request: object): string {
  return `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: process.env.API_KEY });
const stream = await client.chat.completions.create(${JSON.stringify(request, null, 2)});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
}`;
}

/** JSON in Python's spelling; a JSON string is a valid Python string. */
function pythonLiteral(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items: readonly string[] = isList
    ? value.map((item) => pythonLiteral(item, depth + 1))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, depth + 1)}`,
      );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  const indent = "    ".repeat(depth + 1);
  return `${open}\n${items.map((item) => `${indent}${item},\n`).join("")}${"    ".repeat(depth)}${close}`;
}
