// A button that has a file made and saves it; a toast says why it could not be made.
import type { JSX } from "solid-js";
import { Button } from "./button.tsx";
import { useChange } from "./use-change.ts";

type DownloadButtonProps = {
  size?: "small";
  /** While the file is made; "Preparing…" by default. */
  pendingLabel?: string;
  download: () => Promise<void>;
  children: JSX.Element;
};

export function DownloadButton(props: DownloadButtonProps): JSX.Element {
  const making = useChange(() => props.download(), {});
  return (
    <Button
      size={props.size}
      pending={making.isPending}
      pendingLabel={props.pendingLabel ?? "Preparing…"}
      onClick={() => making.mutate()}
    >
      {props.children}
    </Button>
  );
}
