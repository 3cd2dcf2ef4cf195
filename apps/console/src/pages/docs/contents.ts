// The text of each page, as Markdown.

import type { DocId } from "../../lib/docs/doc-list.ts";
import account from "./content/account.md?raw";
import aiSdk from "./content/ai-sdk.md?raw";
import aider from "./content/aider.md?raw";
import billing from "./content/billing.md?raw";
import budgets from "./content/budgets.md?raw";
import cline from "./content/cline.md?raw";
import continueDev from "./content/continue.md?raw";
import errors from "./content/errors.md?raw";
import guardrails from "./content/guardrails.md?raw";
import langchain from "./content/langchain.md?raw";
import limits from "./content/limits.md?raw";
import migrate from "./content/migrate.md?raw";
import models from "./content/models.md?raw";
import openaiSdk from "./content/openai-sdk.md?raw";
import opencode from "./content/opencode.md?raw";
import organizations from "./content/organizations.md?raw";
import quickstart from "./content/quickstart.md?raw";
import streaming from "./content/streaming.md?raw";
import tools from "./content/tools.md?raw";

export const contents = {
  quickstart,
  models,
  streaming,
  tools,
  errors,
  limits,
  guardrails,
  billing,
  budgets,
  organizations,
  account,
  migrate,
  "openai-sdk": openaiSdk,
  "ai-sdk": aiSdk,
  langchain,
  cline,
  continue: continueDev,
  aider,
  opencode,
} as const satisfies Record<DocId, string>;
