// What a test that walks the router knows of a procedure: a valid input and what its ids name.

/** Things that belong to one account, by their ids. */
export type OwnedIds = {
  readonly sessionId: string;
  readonly factorId: string;
  /** An authenticator app whose first code is missing. */
  readonly begunFactorId: string;
  /** At a sign-in provider. */
  readonly identityId: string;
  readonly domainId: string;
  readonly keyId: string;
  readonly managementKeyId: string;
  /** One with limits, made by an operator. */
  readonly foreignKeyId: string;
  /** A request, as `gen-…`. */
  readonly generationId: string;
  readonly topUpId: string;
  /** Shared by the member. */
  readonly conversationId: string;
  /** Another member, who was offered the ownership. */
  readonly personId: string;
  /** Pending, and claimed by someone. */
  readonly invitationId: string;
  /** Pending, to the member, of another account. */
  readonly receivedInvitationId: string;
  /** Kept with the member's key, as `file-…`. */
  readonly fileId: string;
  /** Of that key, as `batch_…`; its lines have not begun. */
  readonly batchId: string;
  readonly projectId: string;
  readonly budgetId: string;
  /** Of the key. */
  readonly guardrailId: string;
  readonly endpointId: string;
  /** A message to that endpoint. */
  readonly messageId: string;
};

export type Sample = {
  /** As the procedure is marked. For `sometimes`, `risky` is an input that needs it. */
  readonly stepUp?: "always" | "sometimes";
  readonly risky?: (ownedIds: OwnedIds) => Readonly<Record<string, unknown>>;
  /** Default: only people who are signed in. */
  readonly public?: true;
  /** Absent: the procedure takes no input. */
  readonly input?: (ownedIds: OwnedIds) => Readonly<Record<string, unknown>>;
  /**
   * Every field that names an id. `owned`: someone else's is answered with `not_found`. `filter`: it
   * narrows one's own list, so someone else's finds nothing. `made`: the caller generates it, and
   * one that is taken by someone else is refused. `public`: names what belongs to no one.
   */
  readonly ids?: Readonly<Record<string, "owned" | "filter" | "made" | "public">>;
};
