// A button in the row above a conversation; on phones only its icon is shown.
import type { Component, JSX } from "solid-js";
import { Dynamic } from "solid-js/web";
import { Button } from "../../ui/button.tsx";

type ToolProps = {
  icon: Component<{ class?: string; "aria-hidden"?: "true" }>;
  onClick: () => void;
  children: JSX.Element;
};

export function Tool(props: ToolProps): JSX.Element {
  return (
    <Button
      variant="ghost"
      size="small"
      class="px-2!"
      icon={<Dynamic component={props.icon} class="size-4 max-sm:hidden" aria-hidden="true" />}
      onClick={props.onClick}
    >
      {props.children}
    </Button>
  );
}
