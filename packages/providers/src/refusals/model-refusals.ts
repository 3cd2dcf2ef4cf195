// What providers say of a model they do not serve, or not to this operator: it has ended, was never there, or has not
// been enabled. A sentence begins a message, so that one which repeats a prompt never matches.
import type { RefusalWording } from "./account-refusals.ts";

export const modelRefusals: readonly RefusalWording[] = [
  {
    by: "OpenAI, Azure, Groq, Together, Cerebras, Hugging Face and compatible servers",
    source: "openai/openai-python#1404; console.groq.com/docs/deprecations; HeyPuter/puter#3168",
    names: [
      "dedicated_endpoint_not_running",
      "DeploymentNotFound",
      "invalid_model",
      "model_decommissioned",
      "model_deprecated",
      "model_not_active",
      "model_not_available",
      "model_not_found",
      "model_not_supported",
      "model_permission_blocked_org",
      "model_permission_blocked_project",
      "model_terms_required",
      "OperationNotSupported",
      "unknown_model",
    ],
  },
  {
    by: "Anthropic",
    source: "docs.claude.com/en/api/errors: not_found_error",
    says: [/^model: [\w.:@/-]{1,200}(?:$|[. ])/],
  },
  {
    by: "Gemini",
    source: "ai.google.dev/gemini-api/docs/deprecations",
    says: [
      /^models?\/[\w./-]{1,200} is (?:not found for api version|no longer available)/,
      /^this model (?:models\/)?[\w./-]{1,200} is no longer available/,
    ],
  },
  {
    by: "Vertex AI",
    source: "genkit-ai/genkit#4688; truefoundry/models#946",
    says: [/^publisher model .{1,300} (?:was not found|is not (?:found|servable|supported))/],
  },
  {
    by: "OpenAI, vLLM, Groq, Perplexity",
    source: "openai/openai-python#1404; console.groq.com/docs/deprecations",
    says: [
      /^(?:the )?model:? [`'"]?[\w.:@/-]{1,200}[`'"]? (?:does not exist|(?:is )?not found|(?:is|was|has been) (?:deprecated|decommissioned|retired|removed|shut ?down|discontinued)|is no longer (?:available|supported|active)|is not (?:available|supported|active)(?:$|[.,] ?| (?:in|for|to) (?:your|this|you)\b))/,
    ],
  },
  {
    by: "Mistral, DeepSeek, Perplexity, Ollama",
    source: "docs.mistral.ai; api-docs.deepseek.com; docs.perplexity.ai",
    says: [
      /^(?:invalid model:? [`'"]?[\w.:@/-]{1,200}|model not (?:exist|found)|unknown model\b|no such model\b|unsupported model\b)/,
    ],
  },
  {
    by: "Bedrock: a model that has ended",
    source: "aws-samples/amazon-bedrock-workshop#386; gsd-build/gsd-2#5425; aws/aws-sdk-js-v3#6424",
    says: [
      /^this model version has reached the end of its life/,
      /^access denied\. this model is marked by provider as legacy/,
      /^the provided model identifier is invalid/,
      /^invocation of model id .{1,200} with on-demand throughput isn/,
      /^could not resolve the foundation model/,
    ],
  },
  {
    by: "Azure",
    source: "learn.microsoft.com/azure/ai-services/openai/how-to/create-resource",
    says: [
      /^the api deployment for this resource does not exist/,
      /^resource not found\.?$/,
      /^the deployment .{1,200} (?:does not exist|was not found)/,
    ],
  },
  {
    by: "Azure: a model that has ended",
    source: "Azure-Samples/Azure-Functions-OpenAI-Demo#30",
    names: ["ModelDeprecated", "ServiceModelDeprecated"],
  },
  {
    by: "OpenAI: a model of another endpoint",
    source: "n8n-io/n8n#18352; micz/ThunderAI#570; continuum-llms/chatgpt-memory#30",
    says: [
      /^this model is only supported in v1\//,
      /^this is (?:not )?a chat model and (?:thus )?not supported in/,
    ],
  },
  {
    by: "Moonshot",
    source: "mozilla-ai/any-llm#778; 666ghj/BettaFish#351",
    says: [/^not found the model .{1,200} or permission denied/],
  },
  {
    by: "Volcengine",
    source: "volcengine.com/docs/82379/1299023; xinnan-tech/xiaozhi-esp32-server#1234",
    names: [
      "InvalidEndpoint.ClosedEndpoint",
      "InvalidEndpointOrModel.ModelIDAccessDisabled",
      "InvalidEndpointOrModel.NotFound",
      "ModelNotOpen",
      "OperationDenied.ServiceNotOpen",
      "UnsupportedModel",
    ],
    says: [
      /^your account .{1,80} has not activated the model/,
      /^the model or endpoint .{1,200} does not exist/,
    ],
  },
  {
    by: "SiliconFlow",
    source: "ErlichLiu/DeepClaude#111",
    says: [/^model does not exist\. please check it carefully/],
  },
  {
    by: "Zhipu",
    source: "eosphoros-ai/DB-GPT#1093; esengine/DeepSeek-Reasonix#6858",
    names: ["1211"],
    says: [/^(?:\[1211\]\[)?模型不存在/],
  },
  {
    by: "NVIDIA",
    source: "Alishahryar1/free-claude-code#956",
    says: [/^function (?:id )?'[\w-]{1,80}': not found for account/],
  },
  {
    by: "LiteLLM",
    source: "BerriAI/litellm#9663, #3142",
    says: [/^(?:\d{3}: \{'error': ')?(?:\/[\w/-]{1,60}: )?invalid model name passed in/],
  },
  {
    by: "OpenRouter, Together, Fireworks, Hugging Face",
    source: "openrouter.ai/docs/api-reference/errors; HeyPuter/puter#3168",
    says: [
      /^no (?:allowed providers|endpoints) (?:are available|found)/,
      /^unable to access (?:non-serverless )?model/,
      /^the dedicated endpoint for/,
      /^model not found, inaccessible/,
      /^[\w.:@/-]{1,200} is not a valid model id/,
      /^the requested model .{1,200} is not supported by any provider/,
    ],
  },
  {
    by: "Servers that have nothing at the operator's address",
    source: "Go's net/http, FastAPI, Express",
    says: [/^(?:404 )?(?:page )?not found\.?$/, /^cannot post \//],
  },
];
