// The facts of an installation that the docs are filled in with.

export type DocFacts = DocModels & {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly product: string;
};

export type DocModels = ReturnType<typeof chooseModels>;

type Model = {
  readonly id: string;
  readonly operation: string;
  readonly capabilities: readonly string[];
};

/** Models that samples run with: the first that can do what a page is about. `console-facts.ts` of the server chooses the same. */
export function chooseModels(models: readonly Model[]) {
  const chat = models.filter(({ operation }) => operation === "chat");
  const model = chat[0]?.id ?? "provider/model";
  const able = (need: string) =>
    chat.find(({ capabilities }) => capabilities.includes(need))?.id ?? model;
  const modelFor = (operation: string) =>
    models.find((one) => one.operation === operation)?.id ?? model;
  return {
    model,
    toolsModel: able("tools"),
    schemaModel: able("json_schema"),
    visionModel: able("vision"),
    filesModel: able("files"),
    reasoningModel: able("reasoning"),
    embeddingsModel: modelFor("embeddings"),
    imageModel: modelFor("image"),
    rerankModel: modelFor("rerank"),
    moderationModel: modelFor("moderation"),
  };
}
