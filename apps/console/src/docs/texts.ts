// The words around the docs; their contents are Markdown, in content/.
import { createTexts } from "../texts/create-texts.ts";

const group = { start: "Start here", guides: "Guides", clients: "SDKs and tools" } as const;

const doc = {
  quickstart: "Quickstart",
  models: "Models and prices",
  streaming: "Streaming",
  tools: "Tools",
  errors: "Errors",
  limits: "Limits",
  billing: "Billing",
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

const docs = {
  contents: "Contents",
  search: "Search the docs",
  none: "Nothing found.",
  what: "what the snippets need",
  copyMarkdown: "Copy as Markdown",
  previous: "Previous: {title}",
  next: "Next: {title}",
  around: "Pages before and after",
} as const;

export const t = createTexts({ group, doc, docs });
