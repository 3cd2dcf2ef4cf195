// Refusals of the operator's account as providers send them: the status and the body, from public reports and the
// providers' own pages.

export type RecordedRefusal = readonly [what: string, status: number, body: unknown];

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
  [
    "Volcengine, overdue",
    403,
    { error: { code: "AccountOverdueError", message: "The request failed because of 123." } },
  ],
  [
    "Volcengine, a limit of its own",
    429,
    {
      error: {
        code: "SetLimitExceeded",
        message: "Your account [123] has reached the set inference limit for the [m] model",
      },
    },
  ],
  [
    "LiteLLM, a budget",
    400,
    {
      error: {
        message: "Budget has been exceeded! Team=T1 Current cost: 3000.1, Max budget: 3000.0",
        type: "budget_exceeded",
        param: null,
        code: "400",
      },
    },
  ],
  [
    "LiteLLM, an older budget",
    400,
    {
      error: {
        message: "Budget has been exceeded! Current cost: 1, Max budget: 0",
        type: "auth_error",
        code: 400,
      },
    },
  ],
  [
    "Anthropic, a plan that is used up",
    400,
    {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "You're out of extra usage. Add more at claude.ai/settings/usage and keep going.",
      },
    },
  ],
  [
    "Anthropic, a plan for its own programs",
    400,
    {
      error: {
        type: "invalid_request_error",
        message: "Third-party apps now draw from your extra usage, not your plan limits.",
      },
    },
  ],
  [
    "Gemini, no free tier",
    400,
    {
      error: {
        code: 400,
        message: "Gemini API free tier is not available in your country. Please enable billing",
        status: "FAILED_PRECONDITION",
      },
    },
  ],
  [
    "Bedrock, a country",
    400,
    {
      message: "Access to Anthropic models is not allowed from unsupported countries, regions, or",
    },
  ],
  [
    "Moonshot, inactive",
    403,
    {
      error: {
        message: "Your account c0sv<ak-e5f> is not active, current state: suspended",
        type: "exceeded_current_quota_error",
      },
    },
  ],
  [
    "Kimi, a plan",
    403,
    { error: { message: "You've reached your usage limit for this billing cycle." } },
  ],
  [
    "xAI, a new team",
    403,
    {
      code: "The caller does not have permission to execute the specified operation",
      error: "Your newly created teams doesn't have any credits yet. You can purchase them",
    },
  ],
  ["Venice", 402, { error: "Insufficient USD or Diem balance to complete request. Visit" }],
  [
    "Replicate",
    402,
    { title: "Insufficient credit", detail: "You have insufficient credit to run this model." },
  ],
  [
    "Together",
    402,
    { error: { message: "Credit limit exceeded. Please navigate to", type: "credit_limit" } },
  ],
  [
    "OpenRouter",
    402,
    { error: { message: "This request requires more credits, or fewer max_tokens.", code: 402 } },
  ],
];
