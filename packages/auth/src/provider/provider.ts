// A sign-in provider as the rest of this folder sees it, whichever protocol it speaks: where to send a browser,
// and whom it vouches for when the browser is back. An address is there only if the provider verified it.

/** What an operator configures of one provider. */
export type ProviderSettings = {
  /** Part of the redirect URI: `/auth/callback/<id>`. */
  readonly id: string;
  /** As people know it. */
  readonly name: string;
  readonly kind: "openid" | "google" | "github";
  /** Without a slash at the end, unless the provider's own issuer has one. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** The secrets of one sign-in; only hashes of them are stored. */
export type AttemptSecrets = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
};

export type Vouched = {
  readonly issuer: string;
  /** Never reused by the issuer, unlike the address. */
  readonly subject: string;
  /** In the form of `parseEmail`; undefined unless the provider verified it. */
  readonly email: string | undefined;
  readonly name: string;
  /** When the person proved themselves to the provider, if it says so. */
  readonly authenticatedAt: Date | undefined;
};

type Request = {
  readonly redirectUri: string;
  /** The provider shall ask who it is, even if it remembers. */
  readonly isAgain: boolean;
};

export type Provider = Pick<ProviderSettings, "id" | "name" | "kind"> & {
  readonly issuer: string;
  /** Throws ProviderFailure. */
  readonly authorizationUrl: (secrets: AttemptSecrets, request: Request) => Promise<URL>;
  /** `callback` is the redirect URI with what the provider appended. Throws ProviderFailure. */
  readonly redeem: (secrets: AttemptSecrets, callback: URL) => Promise<Vouched>;
};

/** The provider could not be reached, refused, or sent what must not be believed; `cause` says which. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  /** The person declined at the provider. */
  readonly declined: boolean;
  constructor(cause: unknown, declined = false) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.declined = declined;
  }
}
