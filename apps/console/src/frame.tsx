// Chooses the frame around a page (shell, public, sign-in) from who is here and who may see it, and
// keeps a broken page from taking the frame down.
import { Navigate, useCurrentMatches, useLocation, useNavigate } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import {
  createEffect,
  createMemo,
  ErrorBoundary,
  Match,
  on,
  Show,
  Suspense,
  Switch,
} from "solid-js";
import { BrokenPage } from "./broken-page.tsx";
import { TitleProvider } from "./page-title.tsx";
import { type Page, pages } from "./pages.ts";
import { loginHref, safeNext } from "./safe-next.ts";
import { useMe } from "./session.ts";
import { Entrance } from "./shell/entrance.tsx";
import { PublicFrame } from "./shell/public-frame.tsx";
import { Shell } from "./shell/shell.tsx";
import { t } from "./texts/shell.ts";
import { createDelay } from "./ui/skeleton.tsx";
import { Spinner } from "./ui/spinner.tsx";
import { ErrorState } from "./ui/states.tsx";

type FrameProps = { expired: Accessor<number>; children?: JSX.Element };

export function Frame(props: FrameProps): JSX.Element {
  const page = useCurrentPage();
  const me = useMe();
  const lastEmail = createMemo<string | undefined>((last) => me.data?.person.email ?? last);
  const location = useLocation();
  const navigate = useNavigate();
  createEffect(
    on(
      props.expired,
      () => {
        // Pages for members lead there by themselves, below.
        if (page()?.access !== "everyone") return;
        navigate(loginHref(location.pathname + location.search), {
          state: { expired: true, email: lastEmail() },
        });
      },
      { defer: true },
    ),
  );
  const title = () => {
    const current = page();
    if (!current) return t("page.notFound");
    return current.id === "overview" && !signedIn() ? t("page.landing") : t(`page.${current.id}`);
  };
  const signedIn = () => Boolean(me.data);
  const entrance = () => page()?.access === "guest" || page()?.access === "link";
  const lost = () => page()?.access === "member" && me.data === null;
  return (
    <TitleProvider fallback={title()}>
      <Switch fallback={<Waiting />}>
        <Match when={page()?.access === "guest" && signedIn()}>
          <Navigate href={safeNext(asText(location.query.next))} />
        </Match>
        <Match when={entrance()}>
          <Entrance>
            <Guarded>{props.children}</Guarded>
          </Entrance>
        </Match>
        <Match when={me.isError && me.data === undefined}>
          <main id="main" class="mx-auto max-w-xl pt-24">
            <ErrorState error={me.error} what="your account" onRetry={() => void me.refetch()} />
          </main>
        </Match>
        <Match when={lost()}>
          <Navigate
            href={loginHref(location.pathname + location.search)}
            state={{ expired: props.expired() > 0, email: lastEmail() }}
          />
        </Match>
        <Match when={signedIn()}>
          <Shell>
            <Guarded>{props.children}</Guarded>
          </Shell>
        </Match>
        <Match when={me.data === null}>
          <PublicFrame>
            <Guarded>{props.children}</Guarded>
          </PublicFrame>
        </Match>
      </Switch>
    </TitleProvider>
  );
}

function useCurrentPage(): Accessor<Page | undefined> {
  const matches = useCurrentMatches();
  return () => {
    const pattern = matches().at(-1)?.route.originalPath;
    return pages.find(({ path }) => path === pattern);
  };
}

function Guarded(props: { children: JSX.Element }): JSX.Element {
  return (
    <ErrorBoundary fallback={(error: unknown, reset) => <BrokenPage error={error} reset={reset} />}>
      <Suspense fallback={<Waiting />}>{props.children}</Suspense>
    </ErrorBoundary>
  );
}

/** Nothing for 150 ms, then a quiet sign of life. */
function Waiting(): JSX.Element {
  const passed = createDelay();
  return (
    <div class="flex min-h-[60dvh] items-center justify-center text-muted">
      <Show when={passed()}>
        <Spinner />
      </Show>
    </div>
  );
}

function asText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
