// Texts of the Playground.
import { createTexts } from "../../lib/create-texts.ts";

const page = {
  what: "the models",
  noModels: "No models are enabled.",
  description: "Uses your balance. No API key needed.",
  model: "Model: {name}",
  chooseModel: "Choose a model",
  searchModels: "Search models by name or id",
  noModel: "No models match.",
  price: "{input} in · {output} out, per 1M tokens",
  parameters: "Parameters",
  viewCode: "View code",
  codeNote: "Reads your key from API_KEY.",
  history: "History",
  newChat: "New chat",
  conversation: "Conversation",
  jump: "Jump to latest",
  empty: "Send a message to start.",
  example1: "Explain prepaid billing in two sentences.",
  example2: "Write a haiku about the sea.",
  example3: "Show a small Python function with a test.",
} as const;

const composer = {
  label: "Your message",
  placeholder: "Message",
  send: "Send",
  stop: "Stop",
  hint: "Ctrl+Enter to send",
  missing: "Write a message first.",
  wrongParameters: "Check the parameters first.",
} as const;

const attach = {
  add: "Attach files",
  list: "Attachments",
  remove: "Remove {name}",
  none: "{model} does not accept attachments",
  gone: "not kept after reloading",
  strange: "This model does not accept {name}.",
  large: "{name} is larger than 3 MB.",
  many: "Attach at most {most} files.",
} as const;

const compare = {
  start: "Compare",
  end: "End comparison",
  add: "Add model",
  remove: "Remove {name}",
  empty: "Ask once, read the answers side by side.",
  note: "You're charged for each model. Comparisons aren't saved.",
  running: "The models are answering.",
  finished: "All responses finished.",
  column: "Answers of {name}",
} as const;

const message = {
  you: "You",
  system: "System prompt",
  systemHint: "Instructions sent with every request.",
  edit: "Edit message",
  editLabel: "Message",
  delete: "Delete message",
  copy: "Copy message",
  regenerate: "Regenerate",
  save: "Save",
  saveAndSend: "Send again",
  thinking: "Thinking",
  toolCall: "Calls {name}",
  toolResult: "Result of {name}",
  sendResults: "Send results",
  waiting: "Waiting for the first token…",
  nothing: "Empty response",
  started: "Generating…",
  finished: { one: "Response finished, {count} token", other: "Response finished, {count} tokens" },
  stopped: "Response stopped.",
  failed: "Response failed.",
} as const;

const figures = {
  label: "Response stats",
  firstToken: "first token {duration}",
  tokens: "{input} in / {output} out",
  log: "View log",
} as const;

const ending = {
  length: "Reached the max token limit.",
  continue: "Continue",
  continuePrompt: "Continue exactly where you stopped.",
  filter: "Stopped by the provider's content filter.",
  stopped: "Stopped. You were charged {cost}.",
  stoppedFree: "Stopped. You were not charged.",
  stoppedUnknown: "Stopped. Logs show what was charged.",
  stoppedEarly: "Stopped before the answer began.",
  stoppedAsking: "Stopped. Checking what was charged…",
  charged: "You were charged {cost}.",
} as const;

const failure = {
  balance: "Your balance is too low for this request.",
  needed: "It needs up to {needed}; {available} is available.",
  addFunds: "Add funds",
  frozen: "This account is frozen after a refund or dispute.",
  model: "This model is unavailable right now.",
  otherModel: "Choose another model",
  gone: "This model is no longer available.",
  rate: "Too many requests. Try again in a moment.",
  offline: "The connection was lost.",
  cut: "Response interrupted.",
  retry: "Retry",
  other: "The request failed.",
  unauthenticated: "Sign in again to continue.",
} as const;

const parameter = {
  temperature: "Temperature",
  temperatureHint: "0 to 2.",
  maxTokens: "Max tokens",
  maxTokensHint: "Maximum length of the answer, up to {most}.",
  topP: "Top p",
  topPHint: "0 to 1.",
  stop: "Stop sequences",
  stopHint: "One per line, at most 4.",
  json: "JSON mode",
  jsonHint: "Also ask for JSON in the prompt.",
  tools: "Tools",
  toolsHint: "A JSON array of function tools.",
  unsupported: "{model} does not support this.",
  reset: "Reset",
  wrongTo2: "Enter a number from 0 to 2.",
  wrongTo1: "Enter a number from 0 to 1.",
  wrongCount: "Enter a whole number from 1 to {most}.",
  wrongStops: "Use at most 4 stop sequences.",
  wrongTools: "This is not a JSON array.",
} as const;

const history = {
  title: "History",
  description: "Stored in this browser only.",
  none: "No conversations yet.",
  untitled: "Untitled",
  delete: "Delete “{title}”",
  clear: "Clear history",
  clearTitle: "Clear the history?",
  clearBody: "Deletes all conversations in this browser. Logs aren't affected.",
} as const;

export const t = createTexts({
  page,
  composer,
  attach,
  compare,
  message,
  figures,
  ending,
  failure,
  parameter,
  history,
});
