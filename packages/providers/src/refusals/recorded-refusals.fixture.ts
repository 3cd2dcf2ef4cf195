// Refusals as providers send them: the status and the body, from public reports and the providers' own pages.

type RecordedRefusal = readonly [what: string, status: number, body: unknown];

export const refusedAccounts: readonly RecordedRefusal[] = [
  [
    "Anthropic, no credit",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API. Please go to Plans",
      },
    },
  ],
  [
    "Anthropic, a spending limit",
    400,
    {
      error: {
        type: "invalid_request_error",
        message: "You have reached your specified API usage limits. You will regain access on 2026",
      },
    },
  ],
  [
    "Anthropic, disabled",
    400,
    {
      error: { type: "invalid_request_error", message: "This organization has been disabled." },
    },
  ],
  ["Anthropic, billing", 402, { error: { type: "billing_error", message: "Pay." } }],
  [
    "Gemini, a wrong key",
    400,
    {
      error: {
        code: 400,
        message: "API key not valid. Please pass a valid API key.",
        status: "INVALID_ARGUMENT",
        details: [
          { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
        ],
      },
    },
  ],
  [
    "Gemini, a reason alone",
    400,
    { error: { code: 400, message: "No.", details: [{}, { reason: "API_KEY_EXPIRED" }] } },
  ],
  [
    "Gemini, in a list",
    400,
    [{ error: { code: 400, message: "User location is not supported for the API use." } }],
  ],
  [
    "Gemini, an API that is off",
    403,
    {
      error: {
        code: 403,
        message: "Generative Language API has not been used in project 12345 before or it is off.",
      },
    },
  ],
  [
    "OpenAI, a hard limit",
    400,
    {
      error: {
        message: "Billing hard limit has been reached",
        type: "billing_limit_user_error",
        param: null,
        code: "billing_hard_limit_reached",
      },
    },
  ],
  [
    "OpenAI, no quota",
    429,
    { error: { message: "You exceeded your current quota", code: "insufficient_quota" } },
  ],
  ["OpenAI, no quota by type", 429, { error: { message: "No.", type: "insufficient_quota" } }],
  [
    "OpenAI, unverified",
    400,
    {
      error: {
        message: "Your organization must be verified to stream this model.",
        param: "stream",
        code: "unsupported_value",
      },
    },
  ],
  [
    "Bedrock, no access",
    400,
    { message: "You don't have access to the model with the specified model ID." },
  ],
  [
    "Azure, no permission",
    400,
    { error: { code: "PermissionDenied", message: "The principal `x` lacks the required data" } },
  ],
  [
    "Moonshot",
    429,
    {
      error: {
        message: "Your account org-1 is suspended due to insufficient balance, please recharge",
        type: "exceeded_current_quota_error",
      },
    },
  ],
  [
    "xAI",
    429,
    {
      code: "Some resource has been exhausted",
      error: "Your team 16f2151a-40f4-4a80-8ad0-cae00c27e8dd has either used all available credits",
    },
  ],
  ["DashScope", 400, { error: { code: "Arrearage", message: "Access denied." } }],
  ["Fireworks", 412, { error: { message: "Account jo is suspended, possibly due to a limit" } }],
  ["SiliconFlow", 400, { code: 30001, message: "Sorry, your account balance is insufficient" }],
  ["a bare sentence", 400, "Insufficient Balance"],
];

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
];
