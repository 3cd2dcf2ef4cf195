// Chooses the frame around a page (shell, public, sign-in) by who is signed in and who may see it, and
// keeps a failing page from taking the frame down.
import { Navigate, useCurrentMatches, useLocation, useNavigate } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import {
  createEffect,
  createMemo,
  ErrorBoundary,
  lazy,
  Match,
  on,
  Show,
  Suspense,
  Switch,
} from "solid-js";
import {
  accountSlug,
  addressOf,
  readLastAccount,
  rememberAccount,
  withoutAccount,
} from "../lib/account-address.ts";
import { loginHref, safeNext } from "../lib/safe-next.ts";
import { type Me, useMe } from "../lib/session.ts";
import { readStored, writeStored } from "../lib/stored-text.ts";
import { Spinner } from "../ui/buttons/spinner.tsx";
import { OpenDialogs } from "../ui/dialogs/open-dialog.tsx";
import { createDelay, Skeleton, SkeletonRows } from "../ui/states/skeleton.tsx";
import { ErrorState } from "../ui/states/states.tsx";
import { BrokenPage } from "./broken-page.tsx";
import { Entrance } from "./entrance.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import type { Page } from "./page.ts";
import { pageNames } from "./page-names.ts";
import { TitleProvider } from "./page-title.tsx";
import { PublicFrame } from "./public-frame.tsx";
import { pages, preload } from "./routes.ts";
import { Shell } from "./shell.tsx";

const NoAccountPage = lazy(() => import("./no-account-page.tsx"));
const NoPermissionPage = lazy(() => import("./no-permission-page.tsx"));

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
        // Member pages redirect there themselves, below.
        if (page()?.access !== "everyone") return;
        navigate(loginHref(withoutAccount(location.pathname) + location.search), {
          state: { expired: true, email: lastEmail() },
        });
      },
      { defer: true },
    ),
  );
  const title = () => {
    const current = page();
    if (!current) return "Page not found";
    return current.id === "overview" && !inShell()
      ? "One API for every model"
      : pageNames[current.id];
  };
  const signedIn = () => Boolean(me.data);
  const entrance = () => page()?.access === "guest" || page()?.access === "link";
  // Until the API has answered, the frame is that of the likely answer.
  const inShell = () =>
    me.data === undefined ? page()?.access !== "everyone" || wasSignedIn() : signedIn();
  createEffect(() => {
    if (me.data !== undefined) rememberSignedIn(signedIn());
  });
  // The page's chunk loads meanwhile.
  createEffect(
    on(page, (current) => {
      if (current && !current.operatorOnly && me.data === undefined) preload(current.path);
    }),
  );
  const lost = () => page()?.access === "member" && me.data === null;
  const permitted = () => {
    const needs = page()?.needs;
    return !needs || me.data?.account?.permissions[needs];
  };
  const found = () => page()?.operatorOnly !== true || Boolean(me.data?.person.operatorRole);
  /** Not on pages about no account, such as those opened from an email. */
  const inAccount = () => {
    const current = page();
    return current !== undefined && !entrance() && !current.standalone && !current.operatorOnly;
  };
  const elsewhere = () =>
    me.data && inAccount() ? findElsewhere(me.data, page(), location) : undefined;
  createEffect(() => {
    const address = elsewhere();
    if (address !== undefined) globalThis.location.replace(address + location.search);
    else if (me.data?.account && inAccount()) rememberAccount(me.data.account);
  });
  return (
    <TitleProvider fallback={title()}>
      <Switch>
        <Match when={page()?.standalone}>
          <PublicFrame>
            <Guarded>{props.children}</Guarded>
          </PublicFrame>
        </Match>
        <Match when={page()?.access === "guest" && signedIn()}>
          <Navigate href={safeNext(asText(location.query.next))} />
        </Match>
        <Match when={entrance()}>
          <Entrance>
            <Guarded>{props.children}</Guarded>
          </Entrance>
        </Match>
        <Match when={elsewhere()}>{null}</Match>
        <Match when={me.data?.account === null && me.data}>
          {(known) => (
            <Entrance>
              <Guarded>
                <NoAccountPage me={known()} />
              </Guarded>
            </Entrance>
          )}
        </Match>
        <Match when={lost()}>
          <Navigate
            href={loginHref(withoutAccount(location.pathname) + location.search)}
            state={{ expired: props.expired() > 0, email: lastEmail() }}
          />
        </Match>
        <Match when={inShell()}>
          <Shell>
            <Known me={me}>
              <Show when={permitted()} fallback={<NoPermissionPage />}>
                <Show when={found()} fallback={<NotFoundPage />}>
                  {props.children}
                </Show>
              </Show>
            </Known>
          </Shell>
        </Match>
        <Match when={!inShell()}>
          <PublicFrame>
            <Known me={me}>{props.children}</Known>
          </PublicFrame>
        </Match>
      </Switch>
    </TitleProvider>
  );
}

const signedInKey = "was-signed-in";

/**
 * Whether this browser was signed in last time. Only a guess for the first paint, before the API has answered; it shows
 * no data and grants nothing.
 */
function wasSignedIn(): boolean {
  return readStored(signedInKey) !== undefined;
}

function rememberSignedIn(signedIn: boolean): void {
  writeStored(signedInKey, signedIn ? "yes" : undefined);
}

function useCurrentPage(): Accessor<Page | undefined> {
  const matches = useCurrentMatches();
  return () => {
    const pattern = matches().at(-1)?.route.originalPath;
    return pages.find(({ path }) => path === pattern);
  };
}

type KnownProps = { me: ReturnType<typeof useMe>; children: JSX.Element };

/** The page, once it is known who is signed in: it may fetch what only members get. */
function Known(props: KnownProps): JSX.Element {
  return (
    <Switch fallback={<PageSkeleton />}>
      <Match when={props.me.data !== undefined}>
        <Guarded>{props.children}</Guarded>
      </Match>
      <Match when={props.me.isError}>
        <ErrorState
          error={props.me.error}
          what="your account"
          retrying={props.me.isFetching}
          onRetry={() => void props.me.refetch()}
        />
      </Match>
    </Switch>
  );
}

/**
 * Where this page is by now: under the present slug of an account that was renamed, or, if the address names no account, in
 * the one that was used last. Undefined if it is here, as what only one account has is: its address names that.
 */
function findElsewhere(
  { account, accounts }: Me,
  page: Page | undefined,
  { pathname, query }: Pick<ReturnType<typeof useLocation>, "pathname" | "query">,
): string | undefined {
  if (accountSlug !== undefined) {
    const isHere = !account || account.slug === accountSlug;
    return isHere ? undefined : addressOf(account, withoutAccount(pathname));
  }
  if (page?.path.includes(":") || query.id !== undefined) return undefined;
  const slug = readLastAccount();
  const last = accounts.find((one) => one.slug === slug && one.kind === "organization");
  return last && addressOf(last, pathname);
}

function PageSkeleton(): JSX.Element {
  return (
    <div class="flex flex-col gap-5">
      <Skeleton class="h-9 w-full max-w-md" />
      <div class="rounded-card border border-border">
        <SkeletonRows rows={8} />
      </div>
    </div>
  );
}

function Guarded(props: { children: JSX.Element }): JSX.Element {
  return (
    <ErrorBoundary fallback={(error: unknown, reset) => <BrokenPage error={error} reset={reset} />}>
      <Suspense fallback={<Waiting />}>{props.children}</Suspense>
      <OpenDialogs />
    </ErrorBoundary>
  );
}

/** Nothing for 150 ms, then a spinner. */
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
