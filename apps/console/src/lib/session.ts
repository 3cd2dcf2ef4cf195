// Who is signed in, the settings of the instance, and the balance: what every page may need. One query
// each, shared by all its users.
import type { Accessor } from "solid-js";
import { type Answers, api } from "./api.ts";
import { describeReserved } from "./describe-reserved.ts";
import { browserTimeZone, isKnownZone } from "./format.ts";
import { forgetConversations } from "./stored-conversations.ts";
import { useQuery } from "./use-query.ts";

export const meKey = ["auth", "me"] as const;
export const balanceKey = ["wallet", "summary"] as const;

const liveBalanceMs = 30_000;
/** While something is reserved: it is released within seconds after the last request has ended. */
const reservedBalanceMs = 2_000;
const fiveMinutesMs = 300_000;
const minuteMs = 60_000;

/** `null` = signed out. */
export function useMe() {
  return useQuery(() => ({
    queryKey: meKey,
    queryFn: async ({ signal }) => {
      const me = await api.auth.me.query(undefined, { signal });
      // Also after a sign-out elsewhere, or if another open tab wrote again.
      if (me === null) forgetConversations();
      return me;
    },
    staleTime: fiveMinutesMs,
    // Members are told soon that support views their account.
    refetchInterval: ({ state }) => (state.data ? minuteMs : false),
    refetchOnWindowFocus: true,
  }));
}

/** False until it is known. */
export function useSignedIn(): Accessor<boolean> {
  const me = useMe();
  return () => Boolean(me.data);
}

export type Me = NonNullable<Answers["auth"]["me"]>;
export type Account = NonNullable<Me["account"]>;
export type Permission = keyof Account["permissions"];

/** The account of this page; undefined until it is known, or for those who do not belong to it. */
export function useAccount(): Accessor<Account | undefined> {
  const me = useMe();
  return () => me.data?.account ?? undefined;
}

/** Whether the role in this account allows it; false until that is known. */
export function useMay(permission: Permission): Accessor<boolean> {
  const account = useAccount();
  return () => account()?.permissions[permission] !== undefined;
}

export function useConfig() {
  return useQuery(() => ({
    queryKey: ["config", "public"],
    queryFn: ({ signal }) => api.config.public.query(undefined, { signal }),
    staleTime: fiveMinutesMs,
    refetchOnWindowFocus: true,
  }));
}

const defaultPasswordMinLength = 12;

/** Characters; the server decides, this only saves a round trip. */
export function usePasswordMinLength(): Accessor<number> {
  const config = useConfig();
  return () => config.data?.passwordMinLength ?? defaultPasswordMinLength;
}

const defaultProductName = "Turnpike";

/** The name of the software until the instance's own name is loaded. */
export function useProductName(): Accessor<string> {
  const config = useConfig();
  return () => config.data?.productName ?? defaultProductName;
}

/** Live: every 30 s, every 2 s while something is reserved, on focus, and after every mutation. */
export function useWallet() {
  const mayRead = useMay("money.read");
  return useQuery(() => ({
    queryKey: balanceKey,
    queryFn: ({ signal }) => api.wallet.summary.query(undefined, { signal }),
    enabled: mayRead(),
    // It has no retry button: `Loaded` retries it together with what failed on the page.
    meta: { retriedWithOthers: true },
    refetchInterval: ({ state }) =>
      state.data && describeReserved(state.data) ? reservedBalanceMs : liveBalanceMs,
  }));
}

/** The zone of Settings, else the browser's. */
export function useTimeZone(): Accessor<string> {
  const me = useMe();
  return () => {
    const own = me.data?.person.timeZone ?? "";
    return isKnownZone(own) ? own : browserTimeZone();
  };
}
