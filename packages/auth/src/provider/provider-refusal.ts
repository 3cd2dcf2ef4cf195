// Why someone whom a provider vouches for does not get in. The console has a text for each reason.

export const refusalReasons = [
  /** The state is unknown, used, too old, or of another browser. */
  "expired",
  /** The person declined at the provider. */
  "declined",
  /** The provider could not be reached, or its answer must not be believed. */
  "failed",
  /** The provider has not verified an address. */
  "unverified",
  /** The provider knew the address by another subject before: it may have a new owner there. */
  "other_subject",
  /** The identity belongs to another person here. */
  "taken",
  /** The address was used by another account until recently. */
  "reserved",
  /** The domain of the person's address requires another way to sign in. */
  "required",
  /** Too many sign-ups from this network. */
  "throttled",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

export class ProviderRefusal extends Error {
  override readonly name = "ProviderRefusal";
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}
