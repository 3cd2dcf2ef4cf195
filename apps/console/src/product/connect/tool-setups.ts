// What a person pastes into a tool so that it calls this gateway: settings, files and commands, filled in with the
// base URL, a model and, while it is shown, the key.
import type { Operation } from "@turnpike/terms";
import type { Snippet } from "../../ui/code/code-snippet.tsx";
import { firstCallSnippets, type SnippetFacts } from "./snippets.ts";

export type ToolSetup = {
  readonly id: string;
  readonly name: string;
  /** What it calls a model for; chat completions if absent. */
  readonly operation?: Operation;
  /** Where the snippet goes. */
  readonly step: string;
  readonly snippet: Omit<Snippet, "id">;
};

type Facts = SnippetFacts & { readonly product: string };

/** In the order in which people choose them. */
export function toolSetups(facts: Facts): readonly ToolSetup[] {
  const key = facts.apiKey ?? "sk-tp-...";
  return [...agents(facts, key), ...appsAndLibraries(facts, key)];
}

function agents(facts: Facts, key: string): readonly ToolSetup[] {
  const { baseUrl, model, product } = facts;
  const origin = baseUrl.replace(/\/v1$/, "");
  return [
    {
      id: "cursor",
      name: "Cursor",
      step: "In Settings, Models, switch on the OpenAI key and its base URL, and add the model by its id.",
      snippet: settings({
        "OpenAI API Key": key,
        "Override OpenAI Base URL": baseUrl,
        "Add model": model,
      }),
    },
    {
      id: "cline",
      name: "Cline",
      step: "In Cline's settings in VS Code, choose these.",
      snippet: settings({
        "API Provider": "OpenAI Compatible",
        "Base URL": baseUrl,
        "OpenAI Compatible API Key": key,
        "Model ID": model,
      }),
    },
    {
      id: "continue",
      name: "Continue",
      step: "Save it as ~/.continue/config.yaml.",
      snippet: {
        label: "~/.continue/config.yaml",
        language: "yaml",
        code: continueConfig(facts, key),
      },
    },
    {
      id: "claude-code",
      name: "Claude Code",
      step: "Run it in your project. The base URL has no /v1 here, and any model with tools will do.",
      snippet: shell(`export ANTHROPIC_BASE_URL="${origin}"
export ANTHROPIC_API_KEY="${key}"
claude --model "${model}"`),
    },
    {
      id: "codex",
      name: "Codex",
      step: "Save it as ~/.codex/config.toml, then run GATEWAY_KEY=(your key) codex.",
      snippet: {
        label: "~/.codex/config.toml",
        language: "yaml",
        code: `model = "${model}"
model_provider = "gateway"

[model_providers.gateway]
name = "${product}"
base_url = "${baseUrl}"
env_key = "GATEWAY_KEY"
wire_api = "responses"`,
      },
    },
    {
      id: "opencode",
      name: "opencode",
      step: "Save it as opencode.json in your project.",
      snippet: { label: "opencode.json", language: "json", code: opencode(facts, key) },
    },
    {
      id: "gemini-cli",
      name: "Gemini CLI",
      step: "Choose Use Gemini API key in its settings, then run it in your project. The base URL has no /v1 here, and any model with tools will do.",
      snippet: shell(`export GOOGLE_GEMINI_BASE_URL="${origin}"
export GEMINI_API_KEY="${key}"
gemini --model "${model}"`),
    },
    {
      id: "aider",
      name: "Aider",
      step: "Run it in your project.",
      snippet: shell(`export OPENAI_API_BASE="${baseUrl}"
export OPENAI_API_KEY="${key}"
aider --model "openai/${model}"`),
    },
  ];
}

function appsAndLibraries(facts: Facts, key: string): readonly ToolSetup[] {
  const { baseUrl, model } = facts;
  return [
    {
      id: "open-webui",
      name: "Open WebUI",
      step: "Save it as compose.yaml and run docker compose up, or add the connection under Admin Settings, Connections.",
      snippet: {
        label: "compose.yaml",
        language: "yaml",
        code: composeFile(facts, key),
      },
    },
    {
      id: "langchain",
      name: "LangChain",
      step: "Install langchain-openai and run this.",
      snippet: {
        label: "Python",
        language: "python",
        code: `from langchain_openai import ChatOpenAI

model = ChatOpenAI(
    model="${model}",
    base_url="${baseUrl}",
    api_key="${key}",
)
print(model.invoke("Hello!").content)`,
      },
    },
    {
      id: "ai-sdk",
      name: "AI SDK",
      step: "Install ai and @ai-sdk/openai-compatible and run this.",
      snippet: {
        label: "Node",
        language: "javascript",
        code: firstCallSnippets(facts).find(({ id }) => id === "ai-sdk")?.code ?? "",
      },
    },
    {
      id: "ai-sdk-gateway",
      name: "AI SDK Gateway",
      step: "Run it where the program starts. AI SDK 6 takes /v3/ai in place of /v4/ai, and AI SDK 5 takes /v1/ai.",
      snippet: {
        label: "Node",
        language: "javascript",
        code: `import { createGateway, generateText } from "ai";

globalThis.AI_SDK_DEFAULT_PROVIDER = createGateway({
  baseURL: "${baseUrl.replace(/\/v1$/, "")}/v4/ai",
  apiKey: "${key}",
});
const { text } = await generateText({ model: "${model}", prompt: "Hello!" });
console.log(text);`,
      },
    },
    {
      id: "n8n",
      name: "n8n",
      step: "Create an OpenAI credential with these, and choose the model by its id in the OpenAI Chat Model node.",
      snippet: settings({ "API Key": key, "Base URL": baseUrl, Model: model }),
    },
  ];
}

function shell(code: string): Omit<Snippet, "id"> {
  return { label: "Shell", language: "bash", code };
}

function settings(values: Readonly<Record<string, string>>): Omit<Snippet, "id"> {
  const code = Object.entries(values)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  return { label: "Settings", language: "yaml", code };
}

function continueConfig({ baseUrl, model, product }: Facts, key: string): string {
  return `name: ${product}
version: 1.0.0
schema: v1
models:
  - name: ${model}
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}
    apiKey: ${key}
    roles: [chat, edit, apply]`;
}

function composeFile({ baseUrl }: Facts, key: string): string {
  return `services:
  open-webui:
    image: ghcr.io/open-webui/open-webui:main
    ports: ["3000:8080"]
    environment:
      OPENAI_API_BASE_URL: "${baseUrl}"
      OPENAI_API_KEY: "${key}"
    volumes: ["open-webui:/app/backend/data"]
volumes:
  open-webui:`;
}

function opencode({ baseUrl, model, product }: Facts, key: string): string {
  const config = {
    $schema: "https://opencode.ai/config.json",
    provider: {
      gateway: {
        npm: "@ai-sdk/openai-compatible",
        name: product,
        options: { baseURL: baseUrl, apiKey: key },
        models: { [model]: { name: model } },
      },
    },
    model: `gateway/${model}`,
  };
  return JSON.stringify(config, null, 2);
}
