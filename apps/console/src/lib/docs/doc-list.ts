// The pages of the docs in order, with their titles, for the docs themselves and the command palette.

const groups = [
  {
    title: "Start here",
    docs: { quickstart: "Quickstart", models: "Models and prices", reference: "API reference" },
  },
  {
    title: "Requests",
    docs: {
      streaming: "Streaming",
      tools: "Tools",
      "structured-output": "Structured output",
      vision: "Vision",
      files: "Files",
      reasoning: "Reasoning",
      embeddings: "Embeddings",
      images: "Images",
      rerank: "Rerank and moderations",
      batches: "Batches",
      caching: "Caching",
    },
  },
  {
    title: "Reliability",
    docs: {
      errors: "Errors and retries",
      idempotency: "Idempotency",
      routing: "Routing",
      benchmarks: "Benchmarks",
    },
  },
  {
    title: "Money and control",
    docs: {
      billing: "Billing",
      "aborted-requests": "Billing of aborted requests",
      limits: "Limits",
      budgets: "Projects and budgets",
      guardrails: "Guardrails",
      receipts: "Receipts",
    },
  },
  {
    title: "Manage the account",
    docs: {
      organizations: "Organizations",
      account: "Account endpoints",
      "management-api": "Management API",
      webhooks: "Webhooks",
    },
  },
  {
    title: "Migrate",
    docs: {
      migrate: "From OpenAI",
      "migrate-openrouter": "From OpenRouter",
      "migrate-litellm": "From LiteLLM",
      "migrate-portkey": "From Portkey",
      "migrate-vercel": "From Vercel AI Gateway",
    },
  },
  {
    title: "SDKs and tools",
    docs: {
      "openai-sdk": "OpenAI SDKs",
      "ai-sdk": "AI SDK",
      "google-genai": "Google Gen AI SDKs",
      langchain: "LangChain",
      cursor: "Cursor",
      cline: "Cline",
      continue: "Continue",
      "claude-code": "Claude Code",
      codex: "Codex",
      opencode: "opencode",
      aider: "Aider",
      "open-webui": "Open WebUI",
      n8n: "n8n",
    },
  },
] as const;

type KeyOf<Group> = Group extends { readonly docs: infer Docs } ? keyof Docs & string : never;
export type DocId = KeyOf<(typeof groups)[number]>;

export type Doc = { readonly id: DocId; readonly title: string; readonly href: string };

export const docGroups: readonly { readonly title: string; readonly docs: readonly Doc[] }[] =
  groups.map(({ title, docs }) => ({
    title,
    docs: entriesOf(docs).map(([id, name]) => ({ id, title: name, href: hrefOf(id) })),
  }));

export const docs = docGroups.flatMap((group) => group.docs);
export const docIds = docs.map(({ id }) => id);

/** TypeScript forgets the names of an object's keys. */
function entriesOf(of: Partial<Record<DocId, string>>): readonly [DocId, string][] {
  return Object.entries(of) as [DocId, string][];
}

export function docTitle(id: DocId): string {
  return docs.find((doc) => doc.id === id)?.title ?? id;
}

/** The page at `/docs/<path>`; the first if there is no path. */
export function findDoc(path: string | undefined): DocId | undefined {
  const name = (path ?? "").replace(/\/$/, "");
  return name === "" ? docIds[0] : docIds.find((id) => id === name);
}

function hrefOf(id: DocId): string {
  return id === "quickstart" ? "/docs" : `/docs/${id}`;
}
