// The names of tools as Anthropic is sent them and as its answers have them: those of a caller of its own language, whose
// answers are relayed, are its own.
import { type ChatRequest, messagesLanguage } from "@turnpike/wire";
import { dialectRules } from "../../conversation-rules.ts";
import { type ToolNames, toolNamesOf } from "../tool-names.ts";

export function namesOf(request: ChatRequest): ToolNames {
  const isOwn = request.language === messagesLanguage;
  return toolNamesOf(request, isOwn ? "any" : dialectRules.anthropic.toolNames.is);
}
