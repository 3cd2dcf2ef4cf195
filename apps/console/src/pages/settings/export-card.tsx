// Downloads everything stored about the person, or about the account of the page.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { downloadExport } from "../../lib/download-export.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { t } from "./texts.ts";

const texts = {
  person: { title: "data.title", description: "data.description", download: "data.download" },
  account: {
    title: "data.accountTitle",
    description: "data.accountDescription",
    download: "data.accountDownload",
  },
} as const;

export function ExportCard(props: { of: "person" | "account" }): JSX.Element {
  const download = useMutation(() => ({
    mutationFn: () => downloadExport(props.of),
    onError: (error: Error) =>
      showToast({ text: error.message === "" ? t("data.failed") : error.message, isError: true }),
  }));
  return (
    <Card title={t(texts[props.of].title)} description={t(texts[props.of].description)}>
      <Button
        pending={download.isPending}
        pendingLabel={t("data.preparing")}
        onClick={() => download.mutate()}
      >
        {t(texts[props.of].download)}
      </Button>
    </Card>
  );
}
