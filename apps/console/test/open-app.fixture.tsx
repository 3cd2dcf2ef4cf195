// The console at an address, signed in, with an API that answers what a test specifies.
import { render } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { App } from "../src/app.tsx";
import { answerApi, config, signedIn, wallet } from "./answer-api.fixture.ts";

export type Answers = Parameters<typeof answerApi>[0];

const nothing = () => ({ data: [] });

export function openApp(address: string, answers: Answers = {}) {
  history.replaceState(null, "", address);
  const api = answerApi({
    "auth.me": signedIn,
    "config.public": config,
    "wallet.summary": wallet,
    "keys.list": nothing,
    "models.list": nothing,
    "projects.list": nothing,
    ...answers,
  });
  const { unmount } = render(() => <App />);
  /** What a procedure was asked, call by call. */
  const sent = (path: string) =>
    api.calls.filter((call) => call.path === path).map((call) => call.input);
  return { api, user: userEvent.setup(), sent, unmount };
}

export type User = ReturnType<typeof userEvent.setup>;
