// The front door of the catalogue: which models there are, and what a completion costs.
export {
  applyCatalog,
  catalogChannel,
  readAppliedVersion,
  readPriceHistory,
} from "./apply-catalog.ts";
export { boundPrompt } from "./bound-prompt.ts";
export { CatalogError, type CatalogMistake } from "./catalog-mistake.ts";
export { costOf, isPossibleUsage } from "./cost-of.ts";
export { countPrompt, estimatePromptTokens, refuseOverlongPrompt } from "./count-prompt.ts";
export { findModel } from "./find-model.ts";
export type {
  Capability,
  Catalog,
  CatalogFile,
  Model,
  ModelEntry,
  Price,
  Rates,
  Route,
} from "./model.ts";
export { readCatalog } from "./read-catalog.ts";
export type { ReadOptions } from "./read-provider.ts";
export { refusePriceChanging } from "./refuse-price-changing.ts";
export { sandboxModels, withSandboxModels } from "./sandbox-models.ts";
export type { Environment } from "./substitute.ts";
export { affordableOutputTokens, worstCase } from "./worst-case.ts";
