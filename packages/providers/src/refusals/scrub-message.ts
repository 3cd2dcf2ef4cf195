// Removes what a caller may not read from an upstream's message: keys, account names and addresses of
// the operator.

// Repetitions that something must follow are bounded: otherwise they try every length at every position.
const secretShapes: readonly RegExp[] = [
  // Vendor keys: sk-…, gsk_…, xai-…, fw_…, AIza…, with the asterisks some services mask them with.
  /\b(?:sk|pk|rk|gsk|xai|fw|hf|key|api|tgp|r8)[-_][\w*.-]{6,}/gi,
  /\bAIza[\w-]{20,}/g,
  /\b(?:bearer|basic)\s+[\w.~+/*=-]{6,}/gi,
  // Access key ids and resource names of AWS; projects of Google; resources of Azure.
  /\b(?:A3T[A-Z0-9]|ABIA|ACCA|AGPA|AIDA|AIPA|AKIA|ANPA|ANVA|APKA|AROA|ASCA|ASIA)[A-Z0-9]{12,124}/g,
  /\barn:aws[\w-]{0,20}:[^\s"'`<>()]+/gi,
  /\bprojects\/[\w.:-]+/gi,
  /\/?\b(?:subscriptions|resourceGroups)\/[^\s"'`<>()]+/gi,
  /\b[\w-]{1,63}\.(?:openai|cognitiveservices|services\.ai|inference\.ml)\.azure\.(?:com|us|cn)\b/gi,
  // Names of the operator's own account.
  /\b(?:org|organization|proj|project|acct|account|acc|user|team|workspace|ws|cus|tenant)[-_][\w-]{0,80}\d[\w-]*/gi,
  /\b(?:organization|project|account|team|workspace|tenant)(?:\s{1,20}(?:id|name))?[\s:=]{1,20}[`'"]?[\w-]{0,80}\d[\w-]{3,}[`'"]?/gi,
  /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+/g,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  // Anything long enough to be a token or a digest.
  /\b[\w+/-]{40,}={0,2}/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  // Addresses inside the operator's network.
  /\bhttps?:\/\/[\w-]+(?::\d+)?(?=[/\s"'),]|$)[^\s"'<>)]*/gi,
  /\b[\w.-]{1,100}\.(?:internal|local|lan|svc)\b(?::\d{1,5})?/gi,
];

const maxLength = 1000;

/** One line, at most 1,000 characters, with everything key-like replaced by `[redacted]`. */
export function scrubMessage(text: string, secrets: readonly string[]): string {
  let scrubbed = text.slice(0, 4 * maxLength);
  for (const secret of secrets) scrubbed = scrubbed.replaceAll(secret, "[redacted]");
  for (const shape of secretShapes) scrubbed = scrubbed.replace(shape, "[redacted]");
  return scrubbed
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxLength);
}
