// The titles of the docs and of their groups.
import { createTexts } from "../create-texts.ts";

const group = { start: "Start here", guides: "Guides", clients: "SDKs and tools" } as const;

const doc = {
  quickstart: "Quickstart",
  models: "Models and prices",
  streaming: "Streaming",
  tools: "Tools",
  errors: "Errors",
  limits: "Limits",
  guardrails: "Guardrails",
  billing: "Billing",
  budgets: "Projects and budgets",
  organizations: "Organizations",
  account: "Account endpoints",
  migrate: "Migrate to this API",
  "openai-sdk": "OpenAI SDKs",
  "ai-sdk": "AI SDK",
  langchain: "LangChain",
  cline: "Cline",
  continue: "Continue",
  aider: "Aider",
  opencode: "opencode",
} as const;

export const t = createTexts({ group, doc });
