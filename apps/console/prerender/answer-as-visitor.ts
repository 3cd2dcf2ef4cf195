// Answers the console's questions as they are for a visitor of any installation: what differs between installations
// is `{{name}}`, which the server fills in.

const models = {
  model: [],
  toolsModel: ["tools"],
  schemaModel: ["json_schema"],
  visionModel: ["vision"],
  filesModel: ["files"],
  reasoningModel: ["reasoning"],
} as const;

const shape = {
  contextTokens: 0,
  lab: "",
  prices: { inputUsd: "0", cachedInputUsd: "0", cacheWriteUsd: "0", outputUsd: "0" },
};

const answers: Readonly<Record<string, unknown>> = {
  "auth.me": null,
  "config.public": {
    productName: "{{product}}",
    apiBaseUrl: "{{baseUrl}}",
    supportEmail: "",
    maintenance: null,
  },
  // The docs use the first model that can do what a page is about.
  "models.list": [
    ...Object.entries(models).map(([name, capabilities]) => ({
      id: `{{${name}}}`,
      name: `{{${name}}}`,
      operation: "chat",
      capabilities,
      ...shape,
    })),
    ...["embeddings", "image", "rerank", "moderation"].map((operation) => ({
      id: `{{${operation}Model}}`,
      name: `{{${operation}Model}}`,
      operation,
      capabilities: [],
      ...shape,
    })),
  ],
};

export function answerAsVisitor(target: string | URL | Request): Promise<Response> {
  const url = new URL(target instanceof Request ? target.url : target, "http://localhost");
  const names = url.pathname.replace("/trpc/", "").split(",");
  // What is not known does not arrive.
  if (names.some((name) => !(name in answers))) return new Promise(() => undefined);
  return Promise.resolve(Response.json(names.map((name) => ({ result: { data: answers[name] } }))));
}
