// What is this, and why should I use it? One request of this instance with its cost, a question to a few models, what
// is paid when one does not finish, how to switch, what models cost, and sign-up.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { ErrorBoundary, For, lazy, Show, Suspense } from "solid-js";
import { version } from "../../../package.json";
import { loadOnce } from "../../lib/load-once.ts";
import { chatModelsOf, realModelsOf, useModels } from "../../lib/queries.ts";
import { useConfig, useProductName } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/buttons/button.tsx";
import { Later } from "../../ui/states/later.tsx";
import { Benchmarks } from "./benchmarks.tsx";
import { FirstRequestDemo } from "./first-request-demo.tsx";
import { PriceList } from "./price-list.tsx";
import { Questions } from "./questions.tsx";
import { spreadOverLabs } from "./spread-over-labs.ts";
import { SwitchOver } from "./switch-over.tsx";

const AskModels = lazy(loadOnce(() => import("./ask-models.tsx")));

const askedMax = 3;

const points = [
  {
    title: "No surprise bills",
    body: "Each request reserves its maximum cost, then charges only what it used. Your balance never goes below zero.",
  },
  {
    title: "The API you already use",
    body: "Streaming, tools, and vision work with any OpenAI client. Just change the base URL and key.",
  },
  {
    title: "Costs you can trace",
    body: "Trace any charge to a single request, exact to a billionth of a dollar. Set a spend limit on every key.",
  },
];

export default function LandingPage(): JSX.Element {
  const product = useProductName();
  const config = useConfig();
  const models = useModels();
  const known = () => !(models.isPending || config.isPending);
  const asked = () => spreadOverLabs(chatModelsOf(realModelsOf(models.data))).slice(0, askedMax);
  return (
    <div class="flex flex-col gap-16 pt-6 sm:gap-20 sm:pt-14">
      <div class="grid items-center gap-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:items-start lg:gap-14">
        <div>
          <h1 class="text-[2rem] font-semibold tracking-tight sm:text-[2.625rem] sm:leading-[1.12]">
            One API key for every model. Pay only for what you use.
          </h1>
          <p class="mt-5 max-w-xl text-lg text-muted">
            {product()} is one OpenAI-compatible API in front of many AI models. Prepaid, with the
            exact cost of every request.
          </p>
          <div class="mt-7 flex flex-wrap gap-3">
            <ButtonLink href="/register" variant="primary">
              Create account
            </ButtonLink>
            <ButtonLink href="/models">See models and prices</ButtonLink>
          </div>
        </div>
        <FirstRequestDemo models={models} />
      </div>
      <Later ready={known()}>
        <Show when={config.data?.demo && asked().length > 0}>
          {/* The page can be read without it. */}
          <ErrorBoundary fallback={null}>
            <div data-live>
              <Suspense fallback={<span data-waiting />}>
                <AskModels models={asked()} />
              </Suspense>
            </div>
          </ErrorBoundary>
        </Show>
      </Later>
      <For each={[Points, Endings, Benchmarks, SwitchOver]}>
        {(Part) => (
          <Later>
            <Part />
          </Later>
        )}
      </For>
      <Later ready={known()}>
        <div data-live>
          <PriceList />
        </div>
      </Later>
      <For each={[Questions, SignUp]}>
        {(Part) => (
          <Later>
            <Part />
          </Later>
        )}
      </For>
      {/* With it the page is whole, unless something is `data-waiting`. */}
      <Later ready={known()}>
        <Footer />
      </Later>
    </div>
  );
}

function Points(): JSX.Element {
  return (
    <ul class="grid gap-8 sm:grid-cols-3 sm:gap-10">
      <For each={points}>
        {({ title, body }) => (
          <li class="border-t border-border pt-5">
            <h2 class="text-lg font-semibold">{title}</h2>
            <p class="mt-2 text-muted">{body}</p>
          </li>
        )}
      </For>
    </ul>
  );
}

function SignUp(): JSX.Element {
  return (
    <section class="flex flex-col items-center gap-4 rounded-card border border-border bg-surface px-6 py-12 text-center">
      <h2 class="text-xl font-semibold tracking-tight">Start in three minutes</h2>
      <ButtonLink href="/register" variant="primary">
        Create account
      </ButtonLink>
    </section>
  );
}

/** As `docs/billing` says, shorter. */
const endings = [
  ["It completes", "The tokens the provider reported, at the price in effect when it started."],
  ["Your balance can't cover it", "Nothing. It is refused with 402 before a provider is called."],
  ["You stop a stream", "The prompt and the tokens you saw, if you could see all you pay for."],
  ["The provider fails before it answers", "Nothing."],
  ["A stream breaks off", "The prompt and what you received."],
  ["Our server crashes", "Nothing. The reserved amount is released within 75 seconds."],
] as const;

function Endings(): JSX.Element {
  return (
    <section class="flex flex-col gap-5">
      <h2 class="text-xl font-semibold tracking-tight">What you pay when a request ends</h2>
      <dl class="divide-y divide-border rounded-card border border-border">
        <For each={endings}>
          {([ending, pays]) => (
            <div class="grid gap-x-8 gap-y-1 px-5 py-3.5 sm:grid-cols-[16rem_1fr]">
              <dt class="font-medium">{ending}</dt>
              <dd class="text-muted">{pays}</dd>
            </div>
          )}
        </For>
      </dl>
      <p class="text-muted">
        A checker compares the balance of every account with its requests, while the server runs.{" "}
        <A href="/docs/billing" class="link">
          How billing works
        </A>
      </p>
    </section>
  );
}

function Footer(): JSX.Element {
  const product = useProductName();
  const config = useConfig();
  const links = () => [
    { href: "/models", title: "Models" },
    { href: "/docs", title: "Docs" },
    { href: "/status", title: "Status" },
    ...(config.data?.terms ? [{ href: "/legal/terms", title: "Terms" }] : []),
    ...(config.data?.privacy ? [{ href: "/legal/privacy", title: "Privacy" }] : []),
  ];
  return (
    <footer class="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-border pt-6 text-sm text-muted">
      <span>
        {product()} {version}
      </span>
      <nav aria-label="Footer" class="flex flex-wrap gap-x-6 gap-y-2">
        <For each={links()}>
          {({ href, title }) => (
            <A href={href} class="hover:text-text">
              {title}
            </A>
          )}
        </For>
        <Show when={config.data?.supportEmail}>
          {(address) => (
            <a href={`mailto:${address()}`} class="hover:text-text">
              Support
            </a>
          )}
        </Show>
        <A href="/login" class="hover:text-text">
          Sign in
        </A>
      </nav>
    </footer>
  );
}
