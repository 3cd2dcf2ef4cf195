// What providers are known to refuse in a conversation and its tools, and what they are sent instead: one row for each
// rule that differs from another provider's, with a public report or page of it. The dialects read what they need
// from here; what an OpenAI-compatible service accepts is a quirk. `docs/dialects.md` shows all rows.
import type { IdShapeName } from "./dialects/call-ids.ts";
import type { OpenaiQuirks } from "./dialects/openai/quirks.ts";
import type { NameShapeName } from "./dialects/tool-names.ts";

export type ConversationRule = {
  readonly providers: string;
  readonly refuses: string;
  readonly sent: string;
  readonly source: string;
};

/** A rule with the value that its dialect works by. */
type Ruled<Value> = ConversationRule & { readonly is: Value };

type QuirkRules = {
  readonly [Quirk in
    | "toolCallIds"
    | "toolNames"
    | "rootSchemas"
    | "innerSchemas"
    | "turnOrder"
    | "toolResults"
    | "participantNames"
    | "controlFields"
    | "reasoningHistory"]: Readonly<
    Record<
      Exclude<OpenaiQuirks[Quirk], "any" | "reasoning_details" | "known" | "ignores" | "obeys">,
      ConversationRule
    >
  >;
};

const claude = "Claude, in clouds too";
const issues = "https://github.com/";

const quirkRules = {
  toolCallIds: {
    forty_characters: {
      providers: "`openai`, `azure`, `openrouter`",
      refuses: "ids of calls of more than 40 characters, which vLLM writes",
      sent: "a digest",
      source: "https://platform.openai.com/docs/api-reference/chat/create",
    },
    nine_alphanumerics: {
      providers: "`mistral`",
      refuses: "ids of calls that are not nine letters and digits",
      sent: "a digest",
      source: `${issues}mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py`,
    },
  },
  toolNames: {
    letters_digits: {
      providers: "`openai`, `azure`, `mistral`",
      refuses: "names of tools with other characters than letters, digits, `_` and `-`",
      sent: "`_` for each, and back in the answer",
      source: "https://platform.openai.com/docs/api-reference/chat/create",
    },
    letter_first: {
      providers: "`moonshot`",
      refuses: "the same, and names that begin with anything but a letter",
      sent: "`t_` before it, and back in the answer",
      source: `${issues}MoonshotAI/kimi-cli/issues/2531`,
    },
  },
  rootSchemas: {
    stated: {
      providers: "`mistral`",
      refuses: "tools without `parameters`",
      sent: "an object without properties",
      source: `${issues}Mirascope/mirascope/issues/961`,
    },
    objects: {
      providers: "`openai`, `azure`, `moonshot`",
      refuses: "a root of a tool's schema that is a union, a reference or without `properties`",
      sent: "an object with the members of all variants",
      source: `${issues}nspady/google-calendar-mcp/issues/39`,
    },
  },
  innerSchemas: {
    stated_items: {
      providers: "`openai`, `azure`",
      refuses: "a list in a tool's schema without `items`",
      sent: "`items: {}`",
      source: `${issues}digitalocean-labs/mcp-digitalocean/issues/265`,
    },
    typed_variants: {
      providers: "`moonshot`",
      refuses: "`type` beside `anyOf` anywhere in a tool's schema, references to `#/definitions/`",
      sent: "the type in each variant; `#/$defs/`",
      source: `${issues}openclaw/openclaw/issues/113130`,
    },
  },
  turnOrder: {
    strict: {
      providers: "`mistral`",
      refuses:
        "the user after a tool, instructions after an answer, answers that are empty, an answer at the end",
      sent: "reminders with the result, else an answer `OK.` between; the user's reminder; nothing; a `prefix`",
      source: `${issues}mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py`,
    },
  },
  toolResults: {
    text: {
      providers: "`openai`, `azure`, `groq`, `mistral`, `fireworks`",
      refuses: "images and files among the results of tools",
      sent: "the text, and the media in a message of the user behind the results",
      source: `${issues}OpenHands/OpenHands/issues/7700`,
    },
  },
  participantNames: {
    in_text: {
      providers: "`mistral`",
      refuses: "the `name` of a message",
      sent: "a prefix of what a user says, `Ada: ...`",
      source: `${issues}Gage-Technologies/mistral-go/issues/3`,
    },
  },
  controlFields: {
    rejects: {
      providers: "`openai`, `azure`, `groq`, `mistral`, `fireworks`",
      refuses: "members of messages, parts and calls that they do not know, and empty `tool_calls`",
      sent: "those that they know; a `refusal` is text where it is not known",
      source: `${issues}ServiceStack/llms/issues/17`,
    },
  },
  reasoningHistory: {
    reasoning_content: {
      providers: "`deepseek`, `moonshot`",
      refuses: "calls of tools without `reasoning_content`",
      sent: "`reasoning` or the text of `reasoning_details`, else a sentence",
      source: `${issues}QuantumNous/new-api/issues/4408`,
    },
  },
} as const satisfies QuirkRules;

export const dialectRules = {
  responses: {
    callIds: {
      is: "sixty_four_characters",
      providers: "OpenAI's responses",
      refuses: "ids of calls of more than 64 characters",
      sent: "a digest",
      source: "https://platform.openai.com/docs/api-reference/responses/create",
    },
  },
  anthropic: {
    callIds: {
      is: "letters_digits",
      providers: claude,
      refuses: "ids of calls with other characters, as Kimi's `functions.Bash:0`, or used twice",
      sent: "a digest",
      source: `${issues}BerriAI/litellm/issues/31094`,
    },
    toolNames: {
      is: "letters_digits",
      providers: claude,
      refuses: "names of tools with other characters than letters, digits, `_` and `-`",
      sent: "`_` for each, and back in the answer",
      source: "https://docs.claude.com/en/api/messages",
    },
    rootSchemas: {
      is: "objects",
      providers: claude,
      refuses: "a root of a tool's schema that is a union or a reference",
      sent: "an object with the members of all variants",
      source: `${issues}anthropics/claude-code/issues/5973`,
    },
    results: {
      is: "first",
      providers: claude,
      refuses: "a turn of the user whose results of tools do not come first",
      sent: "the results first, those of one call together",
      source: "https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use",
    },
    texts: {
      is: "not_blank",
      providers: claude,
      refuses: "texts that are empty or only white space, and turns without content",
      sent: "nothing",
      source: "https://docs.claude.com/en/api/messages",
    },
    thinking: {
      is: "signed",
      providers: claude,
      refuses:
        "thinking that it did not sign; Kimi and DeepSeek behind this API refuse a conversation without theirs",
      sent: "what may be signed by it, nothing once it refuses; `kimi`, `deepseek`, `glm`, `minimax`, `qwen`, `mimo` all",
      source: `${issues}esengine/DeepSeek-Reasonix/issues/8902`,
    },
    failures: {
      is: "with_words",
      providers: claude,
      refuses: "a result with `is_error` that says nothing, or has an image",
      sent: "`The tool failed without a message.`; `Error:` before its text in place of `is_error`",
      source: `${issues}bytedance/trae-agent/issues/230`,
    },
    lastBlocks: {
      is: "not_thinking",
      providers: claude,
      refuses: "an answer that ends in thinking",
      sent: "the answer without it",
      source: `${issues}tailcallhq/forgecode/issues/2107`,
    },
    prefill: {
      is: "without_format",
      providers: claude,
      refuses: "an answer at the end, from 4.6 on, beside a format or with thinking",
      sent: "a turn of the user after it: `(Continue.)`",
      source: `${issues}agno-agi/agno/issues/5582`,
    },
    sampling: {
      is: "one",
      providers: "Claude from Opus 4.1 and 4.5 on",
      refuses: "`temperature` beside `top_p`",
      sent: "`temperature`",
      source: `${issues}SalesforceAIResearch/MCP-Universe/issues/49`,
    },
  },
  gemini: {
    callIds: {
      is: "any",
      providers: "Gemini, on Vertex AI too",
      refuses: "more or fewer results than calls",
      sent: "the results of one call as one",
      source: `${issues}microsoft/vscode/issues/299295`,
    },
    toolNames: {
      is: "letter_or_underscore_first",
      providers: "Gemini, on Vertex AI too",
      refuses: "names of tools that begin with a digit, or have other characters",
      sent: "`_` before it or for each, and back in the answer",
      source: `${issues}kaitranntt/ccs/issues/25`,
    },
    rootSchemas: {
      is: "objects",
      providers: "Gemini, on Vertex AI too",
      refuses:
        "a root of a tool's schema that is not an object, has no type, or is a union or a reference",
      sent: "an object with the members of all variants",
      source: `${issues}tetsuo-ai/agenc-core/issues/1904`,
    },
    turns: {
      is: "alternating",
      providers: "Gemini, on Vertex AI too",
      refuses: "two turns of one side, a call that follows another turn of the model",
      sent: "one turn",
      source: `${issues}lobehub/lobehub/issues/10049`,
    },
    ends: {
      is: "user",
      providers: "Gemini, on Vertex AI too",
      refuses: "a first or a last turn of the model, turns without parts",
      sent: "a turn of the user: `(The assistant begins.)`, `(Continue.)`; nothing",
      source: `${issues}lbjlaq/Antigravity-Manager/issues/3396`,
    },
    signatures: {
      is: "in_details_too",
      providers: "Gemini from 3 on",
      refuses: "a call without its signature",
      sent: "the one in `extra_content` or in `reasoning_details`, else a mark",
      source: "https://ai.google.dev/gemini-api/docs/thought-signatures",
    },
  },
} as const satisfies {
  readonly responses: { readonly callIds: Ruled<IdShapeName> };
  readonly anthropic: {
    readonly callIds: Ruled<IdShapeName>;
    readonly toolNames: Ruled<NameShapeName>;
  } & Readonly<Record<string, Ruled<string>>>;
  readonly gemini: {
    readonly callIds: Ruled<IdShapeName>;
    readonly toolNames: Ruled<NameShapeName>;
  } & Readonly<Record<string, Ruled<string>>>;
};

/** Every row, in the order in which they are shown. */
export function allConversationRules(): readonly ConversationRule[] {
  return [quirkRules, dialectRules].flatMap((rules) =>
    Object.values(rules).flatMap((each) => Object.values<ConversationRule>(each)),
  );
}
