// The one answer for every mailed link that does not work: it must not reveal whether it ever did.
import { Fault } from "@turnpike/base";

export function deadLink(): Fault {
  return new Fault("token_expired", "This link has expired or has already been used.", {
    param: "token",
  });
}
