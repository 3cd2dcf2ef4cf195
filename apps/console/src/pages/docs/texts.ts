// The texts around the docs, whose contents are Markdown, in content/.
import { createTexts } from "../../lib/create-texts.ts";

const docs = {
  contents: "Contents",
  search: "Search the docs",
  none: "Nothing found.",
  what: "what the snippets need",
  insertKey: "Insert your key",
  copyMarkdown: "Copy as Markdown",
  viewMarkdown: "View as Markdown",
  summary:
    "{product} is one OpenAI-compatible API in front of many models, paid from a prepaid balance. The base URL is {baseUrl}; a key goes into the Authorization header as a bearer token.",
  previous: "Previous: {title}",
  next: "Next: {title}",
  around: "Previous and next page",
} as const;

export const t = createTexts({ docs });
