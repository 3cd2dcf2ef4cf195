// The names of tools as Anthropic is sent them: a caller of its own language knows its rules.
import { type ChatRequest, messagesLanguage } from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import { type ToolNames, toolNamesOf } from "../tool-names.ts";

export function namesOf(request: ChatRequest): ToolNames {
  const isOwn = request.language === messagesLanguage;
  return toolNamesOf(request, isOwn ? "any" : dialectRules.anthropic.toolNames.is);
}
