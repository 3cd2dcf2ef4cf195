// "Add an OpenAI-compatible provider" with a service that exists nowhere.
import type { Recipe } from "./recipe.ts";

export const addProvider: Recipe = {
  title: "Add an OpenAI-compatible provider",
  edits: [
    {
      file: "known-providers.ts",
      before: 'ollama: compatible("',
      insert: `  northwind: compatible("https://api.northwind.example/v1", "NORTHWIND_API_KEY", {
    tokenLimit: "max_completion_tokens",
  }),`,
    },
    {
      file: "known-providers.test.ts",
      before: "    ollama: {},",
      insert: "    northwind: newLimit,",
    },
    {
      file: "catalog.yaml",
      after: `- { id: fireworks, apiKey: "\${FIREWORKS_API_KEY}" }`,
      insert: `  - { id: northwind, apiKey: "\${NORTHWIND_API_KEY}" }`,
    },
    {
      file: "catalog.yaml",
      before: "# --- Groq ---",
      insert: `  - id: northwind/gale
    name: Gale
    description: A model that exists nowhere.
    created: "2026-11-01"
    contextTokens: 131072
    maxOutputTokens: 32768
    capabilities: [tools]
    routes: [{ provider: northwind, model: gale }]
    prices: { input: "0.59", output: "0.79" }
`,
    },
    { file: ".env.example", after: "GROQ_API_KEY=", insert: "NORTHWIND_API_KEY=" },
  ],
};
