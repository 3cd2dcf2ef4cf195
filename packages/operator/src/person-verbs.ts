// What an operator does for a person who cannot sign in, or whose sign-in somebody else has.
import { endSessionsAs, resendVerificationAs, sendResetAs } from "@turnpike/auth";
import { emailInput } from "./inputs.ts";
import { actorOf, command, support } from "./verb.ts";

const email = emailInput;

export const personVerbs = {
  resendVerification: command({
    roles: support,
    label: "Send the verification again",
    summary: "mails the link that proves their address again",
    input: { email },
    async run({ db, auth }, by, { email: address, reason }) {
      await resendVerificationAs(db, auth, actorOf(by, reason), address);
      return { email: address };
    },
  }),
  sendReset: command({
    roles: support,
    label: "Send a password reset",
    summary: "mails a link that sets a new password",
    input: { email },
    async run({ db, auth }, by, { email: address, reason }) {
      await sendResetAs(db, auth, actorOf(by, reason), address);
      return { email: address };
    },
  }),
  endSessions: command({
    roles: support,
    label: "End sessions",
    summary: "signs them out everywhere",
    input: { email },
    async run({ db }, by, { email: address, reason }) {
      const { ended } = await endSessionsAs(db, actorOf(by, reason), address);
      return { email: address, ended };
    },
  }),
};
