// The button that begins something new, for roles that may: with a plus at the head of a page, plain in an empty list.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Permission, useMay } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Plus } from "../../ui/icons.ts";

type CreateButtonProps = {
  needs: Permission;
  plain?: boolean;
  onClick: () => void;
  children: JSX.Element;
};

export function CreateButton(props: CreateButtonProps): JSX.Element {
  const may = useMay(props.needs);
  return (
    <Show when={may()}>
      <Button
        variant="primary"
        icon={!props.plain && <Plus class="size-4" aria-hidden="true" />}
        onClick={() => props.onClick()}
      >
        {props.children}
      </Button>
    </Show>
  );
}
