// What a model of Google's can be asked depends on its generation, which only its name tells.

/** 2 for everything before Gemini 3, Gemma included; models of any other name are taken for the newest. */
export function generationOf(upstreamModel: string): 2 | 3 {
  return /(?:^|\/)(?:gemini-[12][.-]|gemma)/i.test(upstreamModel) ? 2 : 3;
}

/** `:generateContent` and the like hang on it; tuned models have a path of their own. */
export function pathOf(upstreamModel: string): string {
  return upstreamModel.includes("/") ? `/${upstreamModel}` : `/models/${upstreamModel}`;
}
