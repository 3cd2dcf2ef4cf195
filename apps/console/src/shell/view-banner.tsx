// Says that an operator views this account, to both sides: to the operator with the way out, to its members until when.
import type { JSX } from "solid-js";
import { Match, Switch } from "solid-js";
import { api } from "../lib/api.ts";
import { formatClock } from "../lib/format.ts";
import { type Account, useMe, useTimeZone } from "../lib/session.ts";
import { ChangeButton } from "../ui/buttons/change-button.tsx";
import { useChange } from "../ui/buttons/use-change.ts";
import { Banner } from "../ui/notices/banner.tsx";

export default function ViewBanner(): JSX.Element {
  const me = useMe();
  const timeZone = useTimeZone();
  const clock = (at: string) => formatClock(new Date(at), timeZone());
  const viewed = () => {
    const account = me.data?.account;
    return account?.view ? { ...account, view: account.view } : undefined;
  };
  return (
    <Switch>
      <Match when={viewed()}>
        {(account) => (
          <Banner tone="warning" action={<EndButton account={account()} />}>
            You are viewing {account().name} as its viewers do, read-only, until{" "}
            {clock(account().view.until)}.
          </Banner>
        )}
      </Match>
      <Match when={me.data?.viewedUntil}>
        {(until) => (
          <Banner tone="info">
            Support is viewing this account, read-only, until {clock(until())}. The reason is in the
            audit log.
          </Banner>
        )}
      </Match>
    </Switch>
  );
}

type Viewed = Account & { view: { id: string } };

function EndButton(props: { account: Viewed }): JSX.Element {
  const end = useChange(
    () =>
      api.operator.view.end.mutate({ id: props.account.view.id, reason: "ended in the console" }),
    { onDone: () => location.assign(`/operator/accounts/${props.account.id}`) },
  );
  return (
    <ChangeButton size="small" change={end} pendingLabel="Ending…">
      End view
    </ChangeButton>
  );
}
