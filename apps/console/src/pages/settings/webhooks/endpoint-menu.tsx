// What can be done to an endpoint: what needs no dialog is done here.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../../lib/api.ts";
import { describeFailure } from "../../../lib/describe-failure.ts";
import { readFailure } from "../../../lib/read-failure.ts";
import { iconButtonClass } from "../../../ui/button.tsx";
import { Ellipsis } from "../../../ui/icons.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { showToast } from "../../../ui/toasts.tsx";

export const webhooksKey = ["webhooks"] as const;
export const endpointsKey = [...webhooksKey, "list"] as const;

export type Endpoint = Answers["webhooks"]["list"]["endpoints"][number];

export type EndpointChange =
  | { readonly kind: "add" }
  | { readonly kind: "change" | "rotate" | "delete"; readonly endpoint: Endpoint }
  | { readonly kind: "secret"; readonly secret: string };

type EndpointMenuProps = { of: Endpoint; onChange: (change: EndpointChange) => void };

export function EndpointMenu(props: EndpointMenuProps): JSX.Element {
  const client = useQueryClient();
  const run = useMutation(() => ({
    mutationFn: ({ change }: { change: () => Promise<unknown>; text: string }) => change(),
    async onSuccess(_, { text }) {
      await client.invalidateQueries({ queryKey: webhooksKey });
      showToast(text);
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  const reveal = useMutation(() => ({
    mutationFn: () => api.webhooks.revealSecret.mutate({ id: props.of.id }),
    onSuccess: ({ secret }) => props.onChange({ kind: "secret", secret }),
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  const open = (kind: "change" | "rotate" | "delete") =>
    props.onChange({ kind, endpoint: props.of });
  const test = () =>
    run.mutate({
      change: () => api.webhooks.sendTest.mutate({ id: props.of.id }),
      text: "A test event is on its way.",
    });
  const setDisabled = (disabled: boolean) =>
    run.mutate({
      change: () => api.webhooks.setDisabled.mutate({ id: props.of.id, disabled }),
      text: disabled
        ? "The endpoint was disabled. What waited for it was canceled."
        : "The endpoint was enabled.",
    });
  return (
    <Menu
      label={`Actions for ${props.of.url}`}
      triggerClass={iconButtonClass()}
      trigger={<Ellipsis class="size-4" aria-hidden="true" />}
    >
      <MenuItem changes onSelect={() => open("change")}>
        Change
      </MenuItem>
      <Show
        when={props.of.disabledBy === null}
        fallback={
          <MenuItem changes onSelect={() => setDisabled(false)}>
            Enable
          </MenuItem>
        }
      >
        <MenuItem changes onSelect={test}>
          Send test event
        </MenuItem>
        <MenuItem changes onSelect={() => setDisabled(true)}>
          Disable
        </MenuItem>
      </Show>
      <MenuItem changes onSelect={() => reveal.mutate()}>
        Show secret
      </MenuItem>
      <MenuItem changes onSelect={() => open("rotate")}>
        Rotate secret
      </MenuItem>
      <MenuItem changes destructive onSelect={() => open("delete")}>
        Delete
      </MenuItem>
    </Menu>
  );
}
