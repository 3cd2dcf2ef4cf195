// What can be done to an endpoint: what needs no dialog is done here.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../../lib/api.ts";
import { useChange } from "../../../ui/buttons/use-change.ts";
import { Menu, MenuItem } from "../../../ui/menus/menu.tsx";
import { changeEndpoint, deleteEndpoint, rotateSecret, showSecret } from "./change-endpoint.tsx";
import { type Endpoint, webhooksKey } from "./endpoints.ts";
import type { EventType } from "./event-fields.tsx";

type EndpointMenuProps = { of: Endpoint; eventTypes: readonly EventType[] };

export default function EndpointMenu(props: EndpointMenuProps): JSX.Element {
  const test = useChange(() => api.webhooks.sendTest.mutate({ id: props.of.id }), {
    refreshes: webhooksKey,
    toast: "A test event is on its way.",
  });
  const disable = useChange(
    (disabled: boolean) => api.webhooks.setDisabled.mutate({ id: props.of.id, disabled }),
    {
      refreshes: webhooksKey,
      toast: (_, disabled) =>
        disabled
          ? "The endpoint was disabled. What waited for it was canceled."
          : "The endpoint was enabled.",
    },
  );
  const reveal = useChange(() => api.webhooks.revealSecret.mutate({ id: props.of.id }), {
    onDone: ({ secret }) => showSecret(secret),
  });
  return (
    <Menu label={`Actions for ${props.of.url}`}>
      <MenuItem changes onSelect={() => changeEndpoint(props.of, props.eventTypes)}>
        Change
      </MenuItem>
      <Show
        when={props.of.disabledBy === null}
        fallback={
          <MenuItem changes onSelect={() => disable.mutate(false)}>
            Enable
          </MenuItem>
        }
      >
        <MenuItem changes onSelect={() => test.mutate()}>
          Send test event
        </MenuItem>
        <MenuItem changes onSelect={() => disable.mutate(true)}>
          Disable
        </MenuItem>
      </Show>
      <MenuItem changes onSelect={() => reveal.mutate()}>
        Show secret
      </MenuItem>
      <MenuItem changes onSelect={() => rotateSecret(props.of)}>
        Rotate secret
      </MenuItem>
      <MenuItem changes destructive onSelect={() => deleteEndpoint(props.of)}>
        Delete
      </MenuItem>
    </Menu>
  );
}
