// Passkeys (WebAuthn): what is asked of a browser, and whether its answer is right. The token of a challenge is the
// challenge itself, so an answer names it, and works once. The only file that uses @simplewebauthn.
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { Fault, isNestedDeeper } from "@turnpike/base";
import type { Auth } from "../auth.ts";

/** Without extensions, which are not used and not plain JSON. */
export type CreationOptions = Omit<
  Awaited<ReturnType<typeof generateRegistrationOptions>>,
  "extensions"
>;
export type RequestOptions = Omit<
  Awaited<ReturnType<typeof generateAuthenticationOptions>>,
  "extensions"
>;

type Site = Pick<Auth, "publicUrl" | "productName">;

export type StoredPasskey = {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly useCount: number;
  /** Separated by commas. */
  readonly transports: string;
};

type Known = Pick<StoredPasskey, "credentialId" | "transports">;

/** A passkey belongs to the name of the host, which is why no other site can ask for it. */
function hostOf({ publicUrl }: Site): string {
  return new URL(publicUrl).hostname;
}

export function creationOptions(
  site: Site,
  of: {
    readonly token: string;
    readonly personId: string;
    readonly email: string;
    readonly known: readonly Known[];
    /** It will sign in with nothing else, so it must be found without an address, and verify its user. */
    readonly isAlone?: boolean;
  },
): Promise<CreationOptions> {
  const need = of.isAlone ? "required" : "preferred";
  return generateRegistrationOptions({
    rpName: site.productName,
    rpID: hostOf(site),
    userName: of.email,
    userID: bytesOf(Buffer.from(of.personId)),
    challenge: bytesOf(Buffer.from(of.token, "base64url")),
    attestationType: "none",
    excludeCredentials: of.known.map(nameKnown),
    authenticatorSelection: { residentKey: need, userVerification: need },
  });
}

/** With `known`, one of these; without, any of this site, which must also verify its user: nothing else does. */
export function requestOptions(
  site: Site,
  { token, known }: { readonly token: string; readonly known?: readonly Known[] },
): Promise<RequestOptions> {
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge: bytesOf(Buffer.from(token, "base64url")),
    userVerification: known === undefined ? "required" : "preferred",
    ...(known !== undefined && { allowCredentials: known.map(nameKnown) }),
  });
}

export type CreatedPasskey = StoredPasskey & {
  readonly token: string;
  readonly isBackedUp: boolean;
};

/** Throws `wrong_credentials`. */
export async function verifyCreated(
  site: Site,
  credential: string,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): Promise<CreatedPasskey> {
  const response = parseCredential<RegistrationResponseJSON>(credential);
  let token = "";
  const { registrationInfo } = await asWrongPasskey(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: (challenge) => {
        token = challenge;
        return true;
      },
      expectedOrigin: site.publicUrl,
      expectedRPID: hostOf(site),
      requireUserVerification: isAlone,
    }),
  );
  if (registrationInfo === undefined) throw wrongPasskey();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return {
    token,
    credentialId: id,
    publicKey,
    useCount: counter,
    transports: transports.join(","),
    isBackedUp: registrationInfo.credentialBackedUp,
  };
}

/** Names the passkey that answered; nothing about the answer is known to be true yet. */
export function credentialIdIn(credential: string): string {
  const { id } = parseCredential<AuthenticationResponseJSON>(credential);
  if (typeof id === "string") return id;
  throw wrongPasskey();
}

/** Throws `wrong_credentials`. Returns the challenge that was answered, and how often the passkey was used. */
export async function verifyAnswer(
  site: Site,
  stored: StoredPasskey,
  { credential, isAlone }: { readonly credential: string; readonly isAlone: boolean },
): Promise<{ readonly token: string; readonly useCount: number }> {
  const response = parseCredential<AuthenticationResponseJSON>(credential);
  let token = "";
  const { verified, authenticationInfo } = await asWrongPasskey(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => {
        token = challenge;
        return true;
      },
      expectedOrigin: site.publicUrl,
      expectedRPID: hostOf(site),
      credential: {
        id: stored.credentialId,
        publicKey: bytesOf(stored.publicKey),
        counter: stored.useCount,
      },
      requireUserVerification: isAlone,
    }),
  );
  if (!verified) throw wrongPasskey();
  return { token, useCount: authenticationInfo.newCounter };
}

export function wrongPasskey(): Fault {
  return new Fault("wrong_credentials", "This passkey is not known here, or its answer is wrong.", {
    param: "credential",
  });
}

type Transport = NonNullable<RegistrationResponseJSON["response"]["transports"]>[number];

function nameKnown({ credentialId, transports }: Known) {
  // As the browser that made it named them; a browser ignores those it does not know.
  const named = transports.split(",").filter((name) => name !== "") as Transport[];
  return { id: credentialId, transports: named };
}

/** Guarantees only that it is an object: the library checks each member before it uses it. */
function parseCredential<Json>(text: string): Json {
  try {
    const read: unknown = isNestedDeeper(text) ? undefined : JSON.parse(text);
    if (typeof read === "object" && read !== null) return read as Json;
  } catch {
    // As wrong as any other text.
  }
  throw wrongPasskey();
}

/** The library says with an Error what is wrong with an answer. */
async function asWrongPasskey<Value>(verify: () => Promise<Value>): Promise<Value> {
  try {
    return await verify();
  } catch {
    throw wrongPasskey();
  }
}

/** The library's types ask for bytes that are not shared. */
function bytesOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}
