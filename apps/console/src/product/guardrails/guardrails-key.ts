// Where the answers about guardrails are cached: what changes them invalidates this.
export const guardrailsKey = ["guardrails", "list"] as const;
