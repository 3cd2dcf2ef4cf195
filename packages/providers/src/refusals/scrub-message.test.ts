// What is removed from a provider's message before a caller reads it.
import { expect, test } from "bun:test";
import { scrubMessage } from "./scrub-message.ts";

test("nothing key-like survives in a message that is shown", () => {
  const secrets = [
    "sk-proj-abcDEF123456",
    "gsk_abcdefghijk123",
    "Bearer abc.def-ghi",
    "org-Zx81aa02bb",
    "proj_9sKq2Lm4",
    "acct_1AbCdEf2",
    "sk-upstream-0123456789abcdef",
    "ops@example.com",
    "AIzaSyA1234567890abcdefghijklmno",
    "0b5e2f6c-6a52-4e0c-9a64-0f1d2c3b4a59",
    "10.1.2.3:8000",
    "http://vllm:8000/v1",
    "gpu7.prod.internal:8000",
    "a".repeat(20) + "B1".repeat(12),
    "AKIAIOSFODNN7EXAMPLE",
    "ASIAY34FZKBOKMUTVV7A",
    "AROADBQP57FF2AEXAMPLE",
    "AIDACKCEVSQ6C2EXAMPLE",
    "arn:aws:iam::123456789012:user/gateway",
    "arn:aws:sts::123456789012:assumed-role/prod-gateway/session.1",
    "arn:aws-cn:bedrock:cn-north-1:123456789012:application-inference-profile/abc",
    "arn:aws-us-gov:bedrock:us-gov-west-1::foundation-model/anthropic.claude-v2:1",
    "gateway@my-project.iam.gserviceaccount.com",
    "projects/my-project/locations/global",
    "/subscriptions/0b5e2f6c/resourceGroups/prod/providers/Microsoft.CognitiveServices/accounts/eu",
    "resourceGroups/prod",
    "my-resource.openai.azure.com",
  ];
  for (const secret of secrets) {
    const message = scrubMessage(`Model gpt-4o-mini of ${secret} is off`, []);
    expect(message).not.toContain(secret);
    expect(message).toStartWith("Model gpt-4o-mini of ");
    expect(message).toEndWith(" is off");
  }
});

test("a message without secrets is unchanged", () => {
  const sentences = [
    "Invalid 'messages[2].content': expected a string, but got 17 items instead.",
    "Failed to download https://example.com/cat.png (404); see https://docs.example.com/images.",
  ];
  for (const sentence of sentences) {
    expect(scrubMessage(sentence, [])).toBe(sentence);
  }
});
