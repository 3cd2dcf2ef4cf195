// How a provider knows that a request comes from its customer: data in the catalogue, turned into a
// header here. A scheme that signs the request itself is another variant of `Credential`.

export type Credential =
  | { readonly scheme: "none" }
  | { readonly scheme: "bearer"; readonly secret: string }
  /** `x-api-key` is Anthropic's, `api-key` Azure's, `x-goog-api-key` Google's. */
  | { readonly scheme: "x-api-key" | "api-key" | "x-goog-api-key"; readonly secret: string };

export const noCredential: Credential = { scheme: "none" };

/** The schemes a catalogue may name for a key. */
export const authSchemes = ["bearer", "x-api-key", "api-key", "x-goog-api-key"] as const;
export type AuthScheme = (typeof authSchemes)[number];

/** Adds the header that carries `credential`, if it has one. */
export function addCredential(headers: Headers, credential: Credential): void {
  switch (credential.scheme) {
    case "none":
      break;
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

/** What must never be shown of it; undefined where there is no secret. */
export function secretOf(credential: Credential): string | undefined {
  return credential.scheme === "none" ? undefined : credential.secret;
}
