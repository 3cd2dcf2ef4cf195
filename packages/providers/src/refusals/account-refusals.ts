// What providers say when they refuse the operator's account with them: its key, its balance, its quota, its country
// or what it may use. A sentence begins a message, so that one which repeats a prompt never matches.

/** How one kind of error is said. */
export type RefusalWording = {
  readonly by: string;
  /** Where it is documented, or a public report that quotes it. */
  readonly source: string;
  /** The `code`, `type` or reason of an error, in any case. */
  readonly names?: readonly string[];
  /** The beginning of a message, in lower case. */
  readonly says?: readonly RegExp[];
};

export const accountRefusals: readonly RefusalWording[] = [
  {
    by: "OpenAI, Azure OpenAI and services that copy them",
    source: "platform.openai.com/docs/guides/error-codes; openai/openai-python#1399",
    names: [
      "account_deactivated",
      "billing_hard_limit_reached",
      "billing_limit_user_error",
      "billing_not_active",
      "credit_balance_exhausted",
      "insufficient_quota",
      "invalid_api_key",
      "invalid_organization",
      "ip_not_authorized",
      "organization_spend_limit_exceeded",
      "organization_usage_limit_exceeded",
      "project_spend_limit_exceeded",
      "unsupported_country_region_territory",
    ],
  },
  {
    by: "Anthropic",
    source: "docs.claude.com/en/api/errors",
    names: ["authentication_error", "billing_error", "permission_error"],
  },
  {
    by: "Google's APIs: the reason of google.rpc.ErrorInfo",
    source: "googleapis/googleapis google/api/error_reason.proto",
    names: [
      "access_token_expired",
      "access_token_scope_insufficient",
      "api_key_expired",
      "api_key_http_referrer_blocked",
      "api_key_invalid",
      "api_key_ip_address_blocked",
      "api_key_service_blocked",
      "billing_disabled",
      "consumer_invalid",
      "consumer_suspended",
      "credentials_missing",
      "iam_permission_denied",
      "location_policy_violated",
      "security_policy_violated",
      "service_disabled",
      "user_project_denied",
    ],
  },
  {
    by: "Amazon Bedrock, inside a stream",
    source: "docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html",
    names: ["accessDeniedException", "expiredTokenException", "unrecognizedClientException"],
  },
  {
    by: "Azure API Management",
    source: "learn.microsoft.com/azure/ai-services/openai/how-to/quota",
    names: [
      "AuthenticationTypeDisabled",
      "PermissionDenied",
      "QuotaExceeded",
      "SubscriptionNotFound",
    ],
  },
  {
    by: "Moonshot",
    source: "platform.moonshot.ai/docs/api/errors",
    names: [
      "exceeded_current_quota_error",
      "incorrect_api_key_error",
      "invalid_authentication_error",
      "permission_denied_error",
    ],
  },
  {
    by: "Alibaba's DashScope",
    source: "help.aliyun.com/zh/model-studio/error-code",
    names: [
      "AccessDenied.Unpurchased",
      "AllocationQuota.FreeTierOnly",
      "Arrearage",
      "InvalidApiKey",
      "PostpaidBillOverdue",
      "PrepaidBillOverdue",
    ],
  },
  {
    by: "Volcengine",
    source: "volcengine.com/docs/82379/1299023",
    names: ["AccountOverdueError", "OperationDenied.ServiceOverdue"],
  },
  {
    by: "LiteLLM",
    source: "BerriAI/litellm#14144, #14004",
    names: ["budget_exceeded"],
    says: [/^budget has been exceeded/, /^exceededbudget: /],
  },
  {
    by: "Groq, Together, Cerebras, Novita and gateways that resell",
    source: "console.groq.com/docs/spend-limits; docs.together.ai/docs/error-codes",
    names: [
      "blocked_api_access",
      "insufficient_balance",
      "insufficient_credits",
      "insufficient_user_quota",
      "organization_restricted",
      "payment_required",
      "payment_required_error",
      "wrong_api_key",
    ],
  },
  {
    by: "Anthropic: no credit",
    source: "BerriAI/litellm#37592; NousResearch/hermes-agent#54882",
    says: [/^(?:your )?credit balance is too low/],
  },
  {
    by: "Anthropic: a limit of the workspace",
    source: "anthropics/claude-code#66314",
    says: [/^you have reached your specified (?:workspace )?api usage limits/],
  },
  {
    by: "Anthropic: disabled",
    source: "anthropics/claude-code#19028, #65714",
    says: [
      /^(?:this|your) organization has been disabled/,
      /^oauth authentication is currently not/,
    ],
  },
  {
    by: "Anthropic: long prompts are not bought",
    source: "docs.claude.com/en/build-with-claude/context-windows",
    says: [
      /^the long context beta is not yet available/,
      /^extra usage is required for long context/,
    ],
  },
  {
    by: "Anthropic: a plan in place of a key",
    source: "earendil-works/pi#2943; anthropics/claude-code#45048",
    says: [/^you.?re out of extra usage/, /^third-party apps now draw from your extra usage/],
  },
  {
    by: "Anthropic, in clouds",
    source: "anthropics/claude-code#2656",
    says: [/^access to anthropic models is not allowed from unsupported countries/],
  },
  {
    by: "Gemini: no free tier",
    source: "ChatGPTNextWeb/NextChat#5255",
    says: [/^gemini api free tier is not available in your country/],
  },
  {
    by: "Gemini",
    source: "ai.google.dev/gemini-api/docs/troubleshooting",
    says: [
      /^user location is not supported/,
      /^api key (?:not valid|expired|not found)/,
      /^your api key was reported as leaked/,
      /^your prepayment credits are depleted/,
    ],
  },
  {
    by: "Google's APIs",
    source: "googleapis/googleapis google/api/error_reason.proto",
    says: [
      /^permission denied: consumer/,
      /^this api method requires billing/,
      /^billing account .{1,80} is (?:disabled|not found)/,
      /^[\w ()-]{3,60} api has not been used in project/,
    ],
  },
  {
    by: "OpenAI",
    source: "platform.openai.com/docs/guides/error-codes",
    says: [
      /^billing hard limit has been reached/,
      /^your account is not active/,
      /^incorrect api key provided/,
      /^you must be a member of an organization/,
      /^your organization must be verified/,
      /^country, region, or territory not supported/,
      /^this (?:project|organization) (?:is|has been) (?:archived|deactivated)/,
    ],
  },
  {
    by: "Bedrock: a model that is not enabled",
    source: "docs.aws.amazon.com/bedrock/latest/userguide/model-access.html",
    says: [
      /^you don.?t have access to the model/,
      /^your account is not authorized/,
      /^[\w.:-]{1,200} is not available for this account/,
      /^model use case details have not been submitted/,
      /^model access is denied/,
      /^user: .{1,300} is not authorized to perform/,
      /^operation not allowed/,
      /^access to this model is not available/,
    ],
  },
  {
    by: "AWS",
    source: "docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html",
    says: [
      /^the security token included in the request/,
      /^the request signature we calculated/,
      /^signature expired/,
    ],
  },
  {
    by: "Azure",
    source: "learn.microsoft.com/azure/ai-services/authentication",
    says: [
      /^access denied due to (?:invalid|virtual network|missing)/,
      /^the principal .{0,200}lacks the required data action/,
      /^public access is disabled/,
      /^out of call volume quota/,
    ],
  },
  {
    by: "xAI",
    source:
      "continuedev/continue#10373; warpdotdev/warp#14867; griptape-ai/griptape-nodes-engine#1079; kittors/CliRelay#631",
    names: ["personal-team-blocked:spending-limit"],
    says: [
      /^your (?:newly created )?teams? .{0,80}(?:has either used all available credits|doesn.?t have any credits)/,
    ],
  },
  {
    by: "DeepSeek, Moonshot, Zhipu, SiliconFlow, Novita and other prepaid services",
    source: "continuedev/continue#9942; platform.moonshot.ai/docs/api/errors",
    says: [
      /^insufficient (?:account )?(?:balance|credits?|funds)/,
      /^(?:sorry, )?your (?:account )?balance is (?:insufficient|not enough|too low)/,
      /^(?:your )?account .{0,120}(?:is|has been) suspended/,
      /^not enough (?:balance|credits?)/,
      /^you have (?:run out of|no) credits/,
    ],
  },
  {
    by: "OpenRouter, Hugging Face, Fireworks",
    source:
      "openrouter.ai/docs/api-reference/errors; huggingface.co/docs/inference-providers/pricing",
    says: [
      /^this request requires more credits/,
      /^(?:you have )?(?:exceeded|reached) your monthly (?:included credits|spend|spending)/,
      /^key limit exceeded/,
      /^credit limit (?:exceeded|reached)/,
    ],
  },
  {
    by: "Moonshot, Kimi's plans",
    source: "infiniflow/ragflow#1048; kimi.com/code/docs/en/kimi-code/error-reference.html",
    says: [
      /^your account .{1,120} is not active/,
      /^you.?ve reached your usage limit for this (?:billing cycle|period)/,
      /^you.?ve reached kimi monthly usage limit/,
      /^kimi for coding is currently only available/,
    ],
  },
  {
    by: "Volcengine: a limit of the operator's own",
    source: "volcengine/MineContext#328",
    says: [/^your account .{1,80}has reached the set inference limit/],
  },
  {
    by: "Venice, Replicate",
    source: "osaurus-ai/osaurus#2431; opencodeschool/opencode.school#211",
    says: [/^insufficient usd or diem balance/, /^you have insufficient credits?/],
  },
  {
    by: "DashScope",
    source: "help.aliyun.com/zh/model-studio/error-code",
    says: [
      /^access denied, please make sure your account is in good standing/,
      /^the free tier of the model has been exhausted/,
    ],
  },
];
