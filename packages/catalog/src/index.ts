// Which models there are, what a call may cost at most and what it did cost.

export { atMarkup } from "./agreed-price.ts";
export { applyCatalog, catalogChannel, queryAppliedVersion } from "./apply-catalog.ts";
export { assertPromptFits } from "./assert-prompt-fits.ts";
export { boundImages, boundPrompt, promptMax } from "./bound-prompt.ts";
export { queryNewestText, queryText, storeText } from "./catalog-text.ts";
export {
  billsTokens,
  clampUsage,
  fitUsage,
  isPossibleUsage,
  nameVariants,
  type OmittedTokens,
  omittedTokens,
  usualUnits,
} from "./clamp-usage.ts";
export {
  boundCutPrompt,
  countPrompt,
  countPromptSample,
  estimatePromptTokens,
  guessPromptTokens,
} from "./count-prompt.ts";
export type { CountCaller } from "./count-text.ts";
export { CatalogError, type CatalogMistake } from "./file/catalog-mistake.ts";
export { createLineFinder } from "./file/find-line.ts";
export { findUnpriced } from "./file/find-unpriced.ts";
export { haveCredentialsChanged } from "./file/have-credentials-changed.ts";
export type { ReadOptions } from "./file/provider-reading.ts";
export { readCatalog } from "./file/read-catalog.ts";
export { sandboxModels, withSandboxModels } from "./file/sandbox-models.ts";
export type { Environment } from "./file/substitute.ts";
export { findModel, matchModel, parseSuffix, priceOfRoute } from "./find-model.ts";
export type {
  Capability,
  Catalog,
  CatalogFile,
  CatalogInForce,
  ChatModel,
  EmbeddingsModel,
  Maintenance,
  Model,
  ModelEntry,
  ModelRequest,
  Price,
  PriceVersion,
  Route,
} from "./model.ts";
export { answeredImageTokens, whyUnpricedImage } from "./operations/image-measures.ts";
export { offeredForms } from "./operations/offered-forms.ts";
export { whyUntimed } from "./operations/why-untimed.ts";
export { operatorCost, type PricedUsage, pricesOfCall, priceUsage } from "./price-of-call.ts";
export { queryPriceHistory } from "./price-versions.ts";
export { parametersOfModel, parametersOfRoute } from "./route-parameters.ts";
export {
  applySwitches,
  isEverything,
  isRouteOff,
  throwMaintenance,
} from "./switches/apply-switches.ts";
export {
  everything,
  querySwitches,
  type Switch,
  type SwitchOff,
  type SwitchTarget,
  switchOff,
  switchOn,
} from "./switches/switch.ts";
export {
  affordableOutputTokens,
  affordablePromptTokens,
  boundExtras,
  highestRates,
  outputBound,
  unreportedOutput,
  worstCase,
} from "./worst-case.ts";
