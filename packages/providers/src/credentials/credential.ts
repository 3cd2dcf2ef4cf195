// How a provider knows that a request comes from its customer: data in the catalogue. A key is a header that
// every request has; a token is obtained with a secret, and renewed before it expires.

export type Credential =
  | { readonly scheme: "none" }
  | { readonly scheme: "bearer"; readonly secret: string }
  /** `x-api-key` is Anthropic's, `api-key` Azure's, `x-goog-api-key` Google's. */
  | { readonly scheme: "x-api-key" | "api-key" | "x-goog-api-key"; readonly secret: string }
  | RenewedCredential;

/** What a bearer token is obtained with, from an endpoint of OAuth 2.0. */
export type RenewedCredential = ServiceAccount | EntraClient;

/** Google's, as in the JSON file of its key. */
export type ServiceAccount = {
  readonly scheme: "google-service-account";
  readonly tokenUrl: string;
  readonly clientEmail: string;
  /** PKCS #8, as PEM. */
  readonly privateKey: string;
  readonly privateKeyId: string | undefined;
};

/** An application registered with Microsoft Entra. */
export type EntraClient = {
  readonly scheme: "entra-client";
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
};

export const noCredential: Credential = { scheme: "none" };

/** The schemes a catalogue may name for a key. */
export const authSchemes = ["bearer", "x-api-key", "api-key", "x-goog-api-key"] as const;
export type AuthScheme = (typeof authSchemes)[number];

/** Whether each request has to be authorized by itself. */
export function isRenewed(credential: Credential): credential is RenewedCredential {
  return credential.scheme === "google-service-account" || credential.scheme === "entra-client";
}

/** Adds the header of a key; a token is added by `authorizeRequest`. */
export function addCredential(headers: Headers, credential: Credential): void {
  switch (credential.scheme) {
    case "bearer":
      headers.set("authorization", `Bearer ${credential.secret}`);
      break;
    case "x-api-key":
    case "api-key":
    case "x-goog-api-key":
      headers.set(credential.scheme, credential.secret);
      break;
  }
}

/** As it is in the body of a request for a token. */
function encodeFormValue(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

/** What must never be shown of it. A private key is several lines, each of which is secret. */
export function secretsOf(credential: Credential): readonly string[] {
  switch (credential.scheme) {
    case "none":
      return [];
    case "google-service-account":
      return credential.privateKey.split("\n").filter((line) => /^[A-Za-z0-9+/=]{8,}$/.test(line));
    case "entra-client":
      return [credential.clientSecret, encodeFormValue(credential.clientSecret)];
    default:
      return [credential.secret];
  }
}
