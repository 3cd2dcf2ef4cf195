// Prompts and answers: stored only for projects whose account switched it on, redacted, sealed, and deleted in time.
export { hasSealedTexts } from "./has-sealed-texts.ts";
export { openPromptLog, type PromptLog, type PromptRecord } from "./open-prompt-log.ts";
export { promptDaysMax, queryPromptStorage, setPromptStorage } from "./prompt-setting.ts";
export { purgePrompts } from "./purge-prompts.ts";
export { openStoredPrompt, queryPrompt, type StoredPrompt } from "./query-prompt.ts";
export {
  listShared,
  openSharedConversation,
  queryShared,
  removeShared,
  type SharedConversation,
  type Sharer,
  shareConversation,
  sharedBytesMax,
} from "./shared-conversations.ts";
