// Assembles the console: queries, toasts, the step-up dialog, and the router built from the list of pages.
import { Navigate, Route, Router } from "@solidjs/router";
import { QueryClientProvider } from "@tanstack/solid-query";
import type { Accessor, JSX, ParentProps } from "solid-js";
import { createSignal, For, lazy, Show, Suspense } from "solid-js";
import { accountBase } from "./lib/account-address.ts";
import { createQueryClient } from "./lib/create-query-client.ts";
import { useTimeZone } from "./lib/session.ts";
import { openPrompt } from "./lib/step-up/prompt.ts";
import { Frame } from "./shell/frame.tsx";
import { NotFoundPage } from "./shell/not-found-page.tsx";
import type { Page } from "./shell/page.ts";
import { componentOf, pages } from "./shell/routes.ts";
import { TimeZoneProvider } from "./ui/figures/time-zone.tsx";
import { Toasts } from "./ui/notices/toasts.tsx";
import { Later } from "./ui/states/later.tsx";

const StepUpDialog = lazy(() => import("./shell/step-up/step-up-dialog.tsx"));

const routes = pages.map((page) => ({ page, component: componentOf(page) }));

/** Where pages were before, and what people type who know them from elsewhere. The query is kept. */
const otherPaths = {
  "/explore": "/usage",
  "/signin": "/login",
  "/signup": "/register",
  "/billing": "/wallet",
  "/dashboard": "/",
};

/** What the router passes to the frame about the current page. */
export type RouteInfo = { readonly page: Page };

export function App(): JSX.Element {
  const [expired, setExpired] = createSignal(0);
  const client = createQueryClient(() => setExpired((count) => count + 1));
  return (
    <QueryClientProvider client={client}>
      <Later>
        <PersonalTimeZone>
          <Later>
            <Pages expired={expired} />
          </Later>
          <Show when={openPrompt()}>
            {(prompt) => (
              <Suspense>
                <StepUpDialog onAnswer={(proved) => prompt().answer(proved)} />
              </Suspense>
            )}
          </Show>
          <Toasts />
        </PersonalTimeZone>
      </Later>
    </QueryClientProvider>
  );
}

function Pages(props: { expired: Accessor<number> }): JSX.Element {
  return (
    <Router
      base={accountBase}
      scrollRestoration
      root={(root) => (
        <Later>
          <Frame expired={props.expired}>{root.children}</Frame>
        </Later>
      )}
    >
      <For each={routes}>
        {({ page, component }) => (
          <Route path={page.path} component={component} info={{ page } satisfies RouteInfo} />
        )}
      </For>
      <For each={Object.entries(otherPaths)}>
        {([path, href]) => (
          <Route
            path={path}
            component={() => <Navigate href={({ location }) => href + location.search} />}
          />
        )}
      </For>
      <Route path="*" component={NotFoundPage} />
    </Router>
  );
}

/** The zone chosen in Settings, else the browser's. */
function PersonalTimeZone(props: ParentProps): JSX.Element {
  return <TimeZoneProvider timeZone={useTimeZone()}>{props.children}</TimeZoneProvider>;
}
