// Downloads everything stored about the person, or about the account of the page.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { downloadExport } from "../../lib/download-export.ts";
import { ChangeButton } from "../../ui/buttons/change-button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";

const texts = {
  person: {
    title: "Your data",
    description:
      "Everything stored about you and your personal account, as one archive: sessions, keys, requests, payments. Hashes and secrets are not in it.",
    download: "Download my data",
  },
  account: {
    title: "Data of this account",
    description:
      "Everything stored about this account as one archive: members, keys, requests, payments, audit log. Hashes and secrets are not in it.",
    download: "Download all data",
  },
} as const;

export function ExportCard(props: { of: "person" | "account" }): JSX.Element {
  const download = useMutation(() => ({
    mutationFn: () => downloadExport(props.of),
    onError: (error: Error) =>
      showToast({
        text: error.message === "" ? "The archive could not be written. Try again." : error.message,
        isError: true,
      }),
  }));
  return (
    <Card title={texts[props.of].title} description={texts[props.of].description}>
      <ChangeButton changes={false} change={download} pendingLabel="Preparing…">
        {texts[props.of].download}
      </ChangeButton>
    </Card>
  );
}
