// People of one server who change, reset and undo, with their own browsers and an attacker's.
import {
  type Answer,
  type Browser,
  faultOf,
  openBrowser,
  password,
  readMails,
  signUp,
  tokenOf,
} from "./browser.fixture.ts";

export const freshPassword = "a fresh long secret";

let count = 0;

export function newEmail(name: string): string {
  count += 1;
  return `${name}-${count}@example.com`;
}

export type People = ReturnType<typeof openPeople>;

export function openPeople(url: string) {
  const anybody = () => openBrowser(url);
  const logIn = async (email: string, secret = password): Promise<Browser> => {
    const browser = anybody();
    const answer = await browser.mutate("auth.login", { email, password: secret });
    if (answer.status !== 200) throw new Error(answer.text);
    return browser;
  };
  return {
    anybody,
    logIn,
    /** A verified person, signed in. */
    async join(name: string): Promise<{ email: string; browser: Browser }> {
      const email = newEmail(name);
      const browser = anybody();
      await signUp(browser, url, email);
      return { email, browser };
    },
    async signInFault(email: string, secret = password): Promise<unknown> {
      return faultOf(await anybody().mutate("auth.login", { email, password: secret }));
    },
    async isSignedIn(browser: Browser): Promise<boolean> {
      return (await browser.query("auth.me")).data !== null;
    },
    /** Kinds of the mails to an address, newest first. */
    async kindsTo(email: string): Promise<string[]> {
      return (await readMails(url, email)).map(({ kind }) => kind);
    },
    tokenOf: (email: string, kind: string) => tokenOf(url, email, kind),
    async askReset(email: string): Promise<string> {
      await anybody().mutate("auth.forgotPassword", { email });
      return tokenOf(url, email, "reset_password");
    },
    /** Requests a change of address; returns the token emailed to the new one. */
    async askMove(browser: Browser, newAddress: string): Promise<string> {
      const given = { newEmail: newAddress, password };
      const answer = await browser.mutate("profile.changeEmail", given);
      if (answer.status !== 200) throw new Error(answer.text);
      return tokenOf(url, newAddress, "confirm_new_email");
    },
    confirmMove(token: string, browser = anybody(), secret = password): Promise<Answer> {
      return browser.mutate("auth.confirmEmailChange", { token, password: secret });
    },
    /** By the link in a mail of that kind, without a session. */
    async undo(email: string, kind: string): Promise<Answer> {
      return anybody().mutate("auth.undoChange", { token: await tokenOf(url, email, kind) });
    },
  };
}
