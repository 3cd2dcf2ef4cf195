// The counter of wrong passwords of one person, by the address they sign in with; it exists for
// unknown addresses too, or its absence would tell them apart.

import { hashBucket } from "./throttle.ts";

export function guessBucket(email: string): string {
  return `login:person:${hashBucket(email)}`;
}
