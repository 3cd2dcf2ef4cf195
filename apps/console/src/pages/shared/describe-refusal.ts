// Says why signing in with a provider did not work, by the reason in the address; `refusalReasons` of
// `packages/auth` lists them.

/** Any other reason gets the general text. */
export function describeRefusal(reason: string, name: string): string {
  const texts = {
    expired: "This sign-in took too long, or began in another browser. Try again.",
    declined: `Signing in was canceled at ${name}.`,
    failed: `${name} could not confirm who you are. Try again, or sign in another way.`,
    unverified: `${name} has not verified your email address. Verify it there, or sign in another way.`,
    other_subject: `Your account here is linked to another identity at ${name}. Sign in the way you did before, and link this one in your settings.`,
    taken: "This identity is linked to another account here.",
    reserved:
      "Another account used this address until recently. We sent a mail to it that says what you can do.",
    required: "Your organization requires another way to sign in, or an address of its own domain.",
    throttled: "Too many accounts were created from your network. Try again in an hour.",
  } as const satisfies Record<string, string>;
  const known = Object.keys(texts).find((key) => key === reason) as keyof typeof texts | undefined;
  return texts[known ?? "failed"];
}
