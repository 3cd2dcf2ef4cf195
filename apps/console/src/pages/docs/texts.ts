// The words around the docs; their contents are Markdown, in content/.
import { createTexts } from "../../lib/create-texts.ts";

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
  insertKey: "Insert a key of yours",
  copyMarkdown: "Copy as Markdown",
  viewMarkdown: "View as Markdown",
  summary:
    "{product} is one OpenAI-compatible API in front of many models, paid from a prepaid balance. The base URL is {baseUrl}; a key goes into the Authorization header as a bearer token.",
  previous: "Previous: {title}",
  next: "Next: {title}",
  around: "Pages before and after",
} as const;

export const t = createTexts({ group, doc, docs });
