// Refusals of a model, and of a request that its caller has to read, as providers send them.
import type { RecordedRefusal } from "./refused-accounts.fixture.ts";

export const refusedModels: readonly RecordedRefusal[] = [
  [
    "OpenAI",
    404,
    {
      error: {
        message: "The model `gpt-9` does not exist or you do not have access to it.",
        type: "invalid_request_error",
        param: null,
        code: "model_not_found",
      },
    },
  ],
  [
    "vLLM",
    404,
    { object: "error", message: "The model `m` does not exist.", type: "NotFoundError", code: 404 },
  ],
  [
    "Groq",
    400,
    {
      error: {
        message: "The model `m` has been decommissioned and is no longer supported.",
        type: "invalid_request_error",
        code: "model_decommissioned",
      },
    },
  ],
  ["Anthropic", 404, { error: { type: "not_found_error", message: "model: claude-3-opus" } }],
  [
    "Gemini",
    404,
    {
      error: {
        code: 404,
        message: "models/gemini-1.5-pro is not found for API version v1beta, or is not supported",
        status: "NOT_FOUND",
      },
    },
  ],
  [
    "Gemini, for new users",
    404,
    {
      error: { message: "This model models/gemini-2.0-flash is no longer available to new users." },
    },
  ],
  [
    "Vertex AI",
    404,
    {
      error: {
        message: "Publisher Model `projects/p/locations/l/models/m` was not found or your project",
      },
    },
  ],
  ["Bedrock", 404, { message: "This model version has reached the end of its life. Please refer" }],
  [
    "Bedrock, legacy",
    404,
    { message: "Access denied. This Model is marked by provider as Legacy and you have not" },
  ],
  [
    "Azure",
    404,
    { error: { code: "DeploymentNotFound", message: "The API deployment does not exist." } },
  ],
  ["Azure, an address", 404, { error: { code: "404", message: "Resource not found" } }],
  ["Mistral", 400, { object: "error", message: "Invalid model: mistral-x", code: "1500" }],
  ["DeepSeek", 400, { error: { message: "Model Not Exist", type: "invalid_request_error" } }],
  [
    "Together",
    400,
    { error: { message: "Unable to access non-serverless model m.", code: "model_not_available" } },
  ],
  ["OpenRouter", 404, { error: { message: "No endpoints found for openai/gpt-9.", code: 404 } }],
  ["Ollama", 404, { error: { message: "model 'llama9' not found", type: "not_found_error" } }],
  [
    "Moonshot",
    404,
    {
      error: {
        message: "Not found the model kimi-thinking-preview or Permission denied",
        type: "resource_not_found_error",
      },
    },
  ],
  [
    "Volcengine, not activated",
    404,
    {
      error: {
        code: "ModelNotOpen",
        message: "Your account 123 has not activated the model m. Please activate the model",
      },
    },
  ],
  [
    "Volcengine, by its words",
    404,
    { error: { message: "Your account 123 has not activated the model m. Please activate it" } },
  ],
  [
    "Volcengine, not there",
    404,
    {
      error: {
        code: "InvalidEndpointOrModel.NotFound",
        message: "The model or endpoint m does not exist or you do not have access to it.",
        type: "NotFound",
      },
    },
  ],
  [
    "SiliconFlow",
    400,
    { code: 20012, message: "Model does not exist. Please check it carefully.", data: null },
  ],
  ["Zhipu", 400, { error: { code: "1211", message: "模型不存在，请检查模型代码。" } }],
  [
    "Zhipu, in Anthropic's language",
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "[1211][模型不存在，请检查模型代码。][20]" },
    },
  ],
  [
    "Azure, a model that has ended",
    404,
    { error: { code: "ModelDeprecated", message: "The model 'm' has been deprecated." } },
  ],
  [
    "NVIDIA",
    404,
    {
      status: 404,
      title: "Not Found",
      detail: "Function '23d4f03a-b8a6-4adb-a183-7daa083a09cc': Not found for account 'Qaw'",
    },
  ],
  [
    "LiteLLM",
    400,
    {
      error: {
        message:
          "/chat/completions: Invalid model name passed in model=m. Call `/v1/models` to view",
        type: "None",
        code: "400",
      },
    },
  ],
  [
    "LiteLLM, in Python",
    400,
    { error: { message: "400: {'error': 'Invalid model name passed in model=m'}", code: 400 } },
  ],
  [
    "OpenAI, another endpoint",
    404,
    {
      error: {
        message: "This model is only supported in v1/responses and not in v1/chat/completions.",
        type: "invalid_request_error",
        param: "model",
        code: null,
      },
    },
  ],
  [
    "OpenAI, not a chat model",
    404,
    {
      error: {
        message: "This is not a chat model and thus not supported in the v1/chat/completions",
        param: "model",
        code: null,
      },
    },
  ],
  [
    "Cohere",
    404,
    { message: "model 'xlarge' not found, make sure the correct model ID was used and that you" },
  ],
  [
    "Perplexity",
    400,
    { error: { message: "Invalid model 'sonar-x'. Permitted models can be found in the" } },
  ],
  ["FastAPI's own 404", 404, { detail: "Not Found" }],
  ["Go's own 404", 404, "404 page not found"],
  ["a proxy's page", 404, "<html><body>nginx</body></html>"],
];

/** About the request: the caller has to read it. */
export const refusedRequests: readonly RecordedRefusal[] = [
  [
    "a prompt that is repeated",
    400,
    { error: { message: "Invalid role: 'Your credit balance is too low'. Supported are: user" } },
  ],
  [
    "the model of a tool",
    400,
    {
      error: {
        message: "The model `dall-e-9` does not exist.",
        param: "tools[0].model",
        code: "model_not_found",
      },
    },
  ],
  [
    "a file that is not there",
    404,
    { error: { message: "No such File object: file-1", param: "id", code: "not_found" } },
  ],
  [
    "a modality",
    400,
    { error: { message: "The model m is not available for images; it reads text", param: null } },
  ],
  ["a type", 400, { error: { message: "Invalid model response schema", param: "schema" } }],
  [
    "a function of the caller",
    400,
    { error: { message: "Function 'get_weather' was not found in tools", param: "tool_choice" } },
  ],
  [
    "words of an account in a prompt",
    400,
    { error: { message: "Invalid content: 'Your account 1 has not activated the model'" } },
  ],
];
