// The landing page: what it is, one snippet, what it costs, and sign-up.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { chatModelsOf, useModels } from "../../lib/queries.ts";
import { useConfig, useProductName } from "../../lib/session.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CodeSnippet } from "../../ui/code-snippet.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { firstCallSnippets } from "../shared/snippets.ts";
import { PriceList } from "./price-list.tsx";
import { t } from "./texts.ts";

const points = [
  ["point.prepaid", "point.prepaidBody"],
  ["point.compatible", "point.compatibleBody"],
  ["point.exact", "point.exactBody"],
] as const;

export default function LandingPage(): JSX.Element {
  const product = useProductName();
  return (
    <div class="flex flex-col gap-16 pt-6 sm:gap-20 sm:pt-14">
      <div class="grid items-center gap-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:items-start lg:gap-14">
        <div>
          <h1 class="text-[2rem] font-semibold tracking-tight sm:text-[2.625rem] sm:leading-[1.12]">
            {t("hero.title")}
          </h1>
          <p class="mt-5 max-w-xl text-lg text-muted">{t("hero.intro", { product: product() })}</p>
          <div class="mt-7 flex flex-wrap gap-3">
            <ButtonLink href="/register" variant="primary">
              {t("hero.start")}
            </ButtonLink>
            <ButtonLink href="/models">{t("hero.prices")}</ButtonLink>
          </div>
        </div>
        <FirstCall />
      </div>
      <ul class="grid gap-8 sm:grid-cols-3 sm:gap-10">
        <For each={points}>
          {([title, body]) => (
            <li class="border-t border-border pt-5">
              <h2 class="text-lg font-semibold">{t(title)}</h2>
              <p class="mt-2 text-muted">{t(body)}</p>
            </li>
          )}
        </For>
      </ul>
      <PriceList />
      <section class="flex flex-col items-center gap-4 rounded-card border border-border bg-surface px-6 py-12 text-center">
        <h2 class="text-xl font-semibold tracking-tight">{t("end.title")}</h2>
        <p class="text-muted">{t("end.steps")}</p>
        <ButtonLink href="/register" variant="primary">
          {t("hero.start")}
        </ButtonLink>
      </section>
      <Footer />
    </div>
  );
}

/** With a model of this instance, so that it runs as pasted. */
function FirstCall(): JSX.Element {
  const config = useConfig();
  const models = useModels();
  const facts = () =>
    config.data !== undefined && !models.isPending
      ? {
          baseUrl: config.data.apiBaseUrl,
          model: chatModelsOf(models.data)[0]?.id || "provider/model",
        }
      : undefined;
  return (
    <Show when={facts()} fallback={<Skeleton class="h-[13.75rem] rounded-card!" />}>
      {(known) => (
        <div class="min-w-0">
          <CodeSnippet snippets={firstCallSnippets(known())} label={t("hero.snippet")} />
        </div>
      )}
    </Show>
  );
}

function Footer(): JSX.Element {
  const product = useProductName();
  const config = useConfig();
  const support = () => config.data?.supportEmail ?? "";
  return (
    <footer class="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-border pt-6 text-sm text-muted">
      <span>{product()}</span>
      <nav aria-label={t("end.footer")} class="flex flex-wrap gap-x-6 gap-y-2">
        <A href="/models" class="hover:text-text">
          Models
        </A>
        <A href="/docs" class="hover:text-text">
          Docs
        </A>
        <Show when={support()}>
          <a href={`mailto:${support()}`} class="hover:text-text">
            Support
          </a>
        </Show>
        <A href="/login" class="hover:text-text">
          Sign in
        </A>
      </nav>
    </footer>
  );
}
