// Words that the server accepts and the console offers. Schemas, constraints of the database and forms are made of these
// lists, so that a new word is named here, where it is set and where it is shown.

/** Service tiers that may have their own price. */
export const serviceTiers = ["flex", "scale", "priority", "fast"] as const;
export type ServiceTier = (typeof serviceTiers)[number];
