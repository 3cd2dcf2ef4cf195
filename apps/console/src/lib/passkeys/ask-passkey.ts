// Asks the browser to make a passkey or to answer with one. The only file that uses @simplewebauthn; import it
// lazily. Answers are JSON text, as the server takes them.
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import type { Answers } from "../api.ts";

/** The person or the browser declined; nothing was sent. */
export class PasskeyDeclined extends Error {
  override readonly name = "PasskeyDeclined";
}

export async function makePasskey(
  optionsJSON: Answers["factors"]["beginPasskey"],
): Promise<string> {
  return JSON.stringify(await declineThrown(() => startRegistration({ optionsJSON })));
}

export async function answerWithPasskey(
  optionsJSON: Answers["auth"]["askPasskey"],
): Promise<string> {
  return JSON.stringify(await declineThrown(() => startAuthentication({ optionsJSON })));
}

/**
 * Offers passkeys where the browser suggests email addresses. Undefined if it cannot, or if something else was
 * chosen first.
 */
export async function offerPasskeys(
  ask: () => Promise<Answers["auth"]["askPasskey"]>,
): Promise<string | undefined> {
  try {
    if (!(await browserSupportsWebAuthnAutofill())) return undefined;
    const optionsJSON = await ask();
    return JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill: true }));
  } catch {
    return undefined;
  }
}

/** Ends an offer. */
export function withdrawPasskeys(): void {
  WebAuthnAbortService.cancelCeremony();
}

async function declineThrown<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    throw new PasskeyDeclined("the browser gave no passkey", { cause: error });
  }
}
