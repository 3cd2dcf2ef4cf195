// How the gateway authenticates to a provider: data from the catalog. A key is a constant header; a token is
// obtained with a secret and renewed before it expires; a signature is made for each request.

export type Credential =
  | { readonly scheme: "none" }
  | { readonly scheme: "bearer"; readonly secret: string }
  /** Deepgram's: as `bearer`, with another word. */
  | { readonly scheme: "token"; readonly secret: string }
  /** `x-api-key` is Anthropic's, `api-key` Azure's, `x-goog-api-key` Google's, `xi-api-key` that of ElevenLabs. */
  | {
      readonly scheme: "x-api-key" | "api-key" | "x-goog-api-key" | "xi-api-key";
      readonly secret: string;
    }
  | ActiveCredential;

/** Credentials that authorize each request individually. */
export type ActiveCredential = RenewedCredential | AwsKey;

/** Credentials that are exchanged for a bearer token at an OAuth 2.0 token endpoint. */
export type RenewedCredential = ServiceAccount | EntraClient;

/** A Google service account, as its JSON key file describes it. */
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

/** Signs requests by AWS Signature Version 4. */
export type AwsKey = {
  readonly scheme: "aws-sigv4";
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken: string | undefined;
};

export const noCredential: Credential = { scheme: "none" };

/** The schemes a catalog may name for a key. */
export const authSchemes = [
  "bearer",
  "token",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "xi-api-key",
] as const;
export type AuthScheme = (typeof authSchemes)[number];

const activeSchemes = {
  "google-service-account": true,
  "entra-client": true,
  "aws-sigv4": true,
} as const satisfies Record<ActiveCredential["scheme"], true>;

/** Whether each request has to be authorized individually. */
export function isActive(credential: Credential): credential is ActiveCredential {
  return credential.scheme in activeSchemes;
}

/** Adds the header of a key; an active credential is added by `authorizeRequest`. */
export function addCredential(headers: Headers, credential: Credential): void {
  switch (credential.scheme) {
    case "bearer":
      headers.set("authorization", `Bearer ${credential.secret}`);
      break;
    case "token":
      headers.set("authorization", `Token ${credential.secret}`);
      break;
    case "x-api-key":
    case "api-key":
    case "x-goog-api-key":
    case "xi-api-key":
      headers.set(credential.scheme, credential.secret);
      break;
  }
}

/** As written in the body of a token request. */
function encodeFormValue(value: string): string {
  return new URLSearchParams([["", value]]).toString().slice(1);
}

/** The parts that must never be shown. A private key has several lines, each of which is secret. */
export function secretsOf(credential: Credential): readonly string[] {
  switch (credential.scheme) {
    case "none":
      return [];
    case "google-service-account":
      return credential.privateKey
        .split(/\r?\n/)
        .filter((line) => /^[A-Za-z0-9+/=]{8,}$/.test(line));
    case "entra-client":
      return [credential.clientSecret, encodeFormValue(credential.clientSecret)];
    case "aws-sigv4": {
      const { accessKeyId, secretAccessKey, sessionToken } = credential;
      const secrets = [accessKeyId, secretAccessKey];
      return sessionToken === undefined ? secrets : [...secrets, sessionToken];
    }
    default:
      return [credential.secret];
  }
}
