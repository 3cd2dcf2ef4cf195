// Configuration of coding tools for this gateway: settings and files.
import type { Snippet } from "../../ui/code-snippet.tsx";
import type { DocFacts } from "./doc-facts.ts";

export function toolConfigs(facts: DocFacts): Readonly<Record<string, readonly Snippet[]>> {
  return {
    "langchain-install": [
      { id: "python", label: "Python", language: "bash", code: "pip install langchain-openai" },
      { id: "node", label: "Node", language: "bash", code: "npm install @langchain/openai" },
    ],
    cline: [{ id: "cline", label: "Cline settings", language: "yaml", code: cline(facts) }],
    continue: [
      {
        id: "continue",
        label: "~/.continue/config.yaml",
        language: "yaml",
        code: continueDev(facts),
      },
    ],
    "continue-key": [
      {
        id: "continue-key",
        label: "~/.continue/.env",
        language: "bash",
        code: "API_KEY=sk-tp-...",
      },
    ],
    aider: [{ id: "aider", label: "Shell", language: "bash", code: aider(facts) }],
    opencode: [{ id: "opencode", label: "opencode.json", language: "json", code: opencode(facts) }],
  };
}

function cline({ baseUrl, model }: DocFacts): string {
  return `API Provider: OpenAI Compatible
Base URL: ${baseUrl}
OpenAI Compatible API Key: (your key)
Model ID: ${model}`;
}

function continueDev({ baseUrl, model, product }: DocFacts): string {
  return `name: ${product}
version: 1.0.0
schema: v1
models:
  - name: ${model}
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}
    apiKey: \${{ secrets.API_KEY }}
    roles:
      - chat
      - edit
      - apply`;
}

function aider({ baseUrl, model }: DocFacts): string {
  return `export OPENAI_API_BASE="${baseUrl}"
export OPENAI_API_KEY="$API_KEY"
aider --model "openai/${model}"`;
}

function opencode({ baseUrl, model, product }: DocFacts): string {
  const config = {
    $schema: "https://opencode.ai/config.json",
    provider: {
      gateway: {
        npm: "@ai-sdk/openai-compatible",
        name: product,
        options: { baseURL: baseUrl, apiKey: "{env:API_KEY}" },
        models: { [model]: { name: model } },
      },
    },
    model: `gateway/${model}`,
  };
  return JSON.stringify(config, null, 2);
}
