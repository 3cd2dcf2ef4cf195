// The form in which addresses are stored and compared: in lower case, as browsers accept them.

import { Fault } from "@turnpike/base";

const emailCharsMax = 254;

/** What browsers accept as an email address, with a dot in the domain. */
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;

/** An address in its stored form. Throws `invalid_value`; whether it receives mail is not checked. */
export function readEmail(text: string, param = "email"): string {
  const email = text.trim().toLowerCase();
  if (email.length <= emailCharsMax && emailPattern.test(email)) return email;
  throw new Fault("invalid_value", "That is not an email address.", { param });
}
