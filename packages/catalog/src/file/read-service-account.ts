// Reads the key of a Google service account: its JSON, given as text or by the path of its file. No part of it is
// ever shown in a mistake.
import { createPrivateKey } from "node:crypto";
import { parseObject, parseText } from "@turnpike/base";
import { type ServiceAccount, whyBaseUrlRefused } from "@turnpike/providers";
import { type EntryContext, fill, mistake, type NotReady, type Read } from "./provider-reading.ts";
import { readCredentialFile } from "./substitute.ts";

export type AccountOfProject = {
  readonly account: ServiceAccount;
  /** The project the account belongs to. */
  readonly projectId: string | undefined;
};

export function readServiceAccount(context: EntryContext): Read<AccountOfProject> {
  const { entry, options } = context;
  const { serviceAccount, serviceAccountFile } = entry;
  if (serviceAccount !== undefined && serviceAccountFile !== undefined) {
    return mistake("serviceAccountFile", "must be omitted if serviceAccount is given");
  }
  const field = serviceAccount === undefined ? "serviceAccountFile" : "serviceAccount";
  const written = serviceAccount ?? serviceAccountFile;
  if (written === undefined) {
    const advice = "the JSON of its key, or serviceAccountFile with the path of that file";
    return mistake("serviceAccount", `is required: ${advice}`);
  }
  const value = fill(context, field, written);
  if (value.kind !== "value") return value;
  if (field === "serviceAccount") return parseAccount(context, field, value.value);
  if (/^\s*[{"]/.test(value.value)) {
    return mistake(field, "must be the path of a file: write the JSON itself as serviceAccount");
  }
  const file = readCredentialFile(value.value);
  if (file.kind === "read") {
    options.noteFile?.(value.value, file.text);
    return parseAccount(context, field, file.text);
  }
  // The path as the catalog writes it: the variable may hold the key instead.
  const path = written.length > pathShownMaxLength ? "" : `: ${written}`;
  return mistake(field, `cannot be read (${file.code})${path}`);
}

/** A longer one is more likely a key than a path. */
const pathShownMaxLength = 255;

function parseAccount(
  { options }: EntryContext,
  field: string,
  text: string,
): Read<AccountOfProject> {
  const json = parseObject(text);
  if (json === undefined) return mistake(field, "is not the JSON of a service account's key");
  if (json.type !== "service_account") {
    return mistake(field, 'must have type "service_account": create a JSON key for the account');
  }
  const clientEmail = parseText(json.client_email);
  if (clientEmail === undefined) return lacks(field, "client_email");
  // In an environment variable the line ends may be escaped twice.
  const privateKey = parseText(json.private_key)?.replaceAll("\\n", "\n");
  if (privateKey === undefined) return lacks(field, "private_key");
  if (!isRsaKey(privateKey))
    return mistake(field, "has a private_key that is not an RSA key in PEM");
  const tokenUrl = parseText(json.token_uri) ?? "https://oauth2.googleapis.com/token";
  const refused = whyBaseUrlRefused(tokenUrl, options);
  if (refused !== undefined) return mistake(field, `has a token_uri that ${refused}`);
  const account: ServiceAccount = {
    scheme: "google-service-account",
    tokenUrl,
    clientEmail,
    privateKey,
    privateKeyId: parseText(json.private_key_id),
  };
  return { kind: "value", value: { account, projectId: parseText(json.project_id) } };
}

function lacks(field: string, member: string): NotReady {
  return mistake(field, `has no ${member}`);
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
