// Monthly statements of payments and usage as PDF, and the company they name.
import { companyMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { saveBlob } from "../../lib/download-file.ts";
import { formatMonth } from "../../lib/format.ts";
import { useMay } from "../../lib/session.ts";
import { linesOf } from "../../lib/typed-text.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { DownloadButton } from "../../ui/buttons/download-button.tsx";
import { askChange } from "../../ui/dialogs/open-dialog.tsx";
import { SelectControl } from "../../ui/forms/choices.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";

type Statements = Answers["wallet"]["statements"];
type Company = Statements["company"];

const queryKey = ["wallet", "statements"];

export default function StatementsCard(): JSX.Element {
  const mayChange = useMay("account.change");
  const query = useAnswer(queryKey, (call) => api.wallet.statements.query(undefined, call));
  const edit = () => query.data && changeCompany(query.data.company);
  useAsked(
    "company-details",
    () => mayChange() && edit(),
    () => query.data !== undefined,
  );
  return (
    <Card
      title="Statements"
      description="What was paid and used in a calendar month (UTC), as PDF."
      actions={
        <Show when={mayChange() && query.data}>
          <Button size="small" onClick={edit}>
            Company details
          </Button>
        </Show>
      }
    >
      <Loaded query={query} what="the statements">
        {(data) => (
          <div class="flex flex-col gap-4">
            <CompanyText of={data().company} />
            <Asked as="download-statement">
              <Show
                when={data().months[0]}
                fallback={
                  <p tabindex={-1} class="text-muted">
                    The first statement is here when this month is over.
                  </p>
                }
              >
                {(newest) => <Download months={data().months} newest={newest()} />}
              </Show>
            </Asked>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function CompanyText(props: { of: Company }): JSX.Element {
  const text = () => {
    const company = props.of;
    if (company === null) return "Statements name this account only.";
    const taxNumber = company.taxNumber && `Tax ID ${company.taxNumber}`;
    return [company.name, ...company.addressLines, taxNumber].filter(Boolean).join(", ");
  };
  return <p class="text-muted wrap-anywhere">{text()}</p>;
}

function Download(props: { months: readonly string[]; newest: string }): JSX.Element {
  const [chosen, setChosen] = createSignal<string>();
  const month = () => chosen() ?? props.newest;
  const download = async () => {
    const of = month();
    const { pdf } = await api.wallet.statementPdf.query({ month: of });
    const bytes = Uint8Array.from(atob(pdf), (character) => character.charCodeAt(0));
    saveBlob(`statement-${of}.pdf`, new Blob([bytes], { type: "application/pdf" }));
  };
  return (
    <div class="flex flex-wrap items-center gap-3">
      <SelectControl
        label="Month"
        value={month()}
        onChange={setChosen}
        choices={props.months.map((value) => ({ value, label: formatMonth(value) }))}
      />
      <DownloadButton download={download}>Download PDF</DownloadButton>
    </div>
  );
}

function changeCompany(of: Company): void {
  askChange({
    title: "Company details",
    initial: {
      name: of?.name ?? "",
      addressLines: of?.addressLines.join("\n") ?? "",
      taxNumber: of?.taxNumber ?? "",
    },
    fields: [
      {
        kind: "text",
        name: "name",
        label: "Company",
        charsMax: companyMax.lineChars,
        optional: true,
      },
      { kind: "area", name: "addressLines", label: "Address", charsMax: 500, optional: true },
      {
        kind: "text",
        name: "taxNumber",
        label: "Tax ID",
        charsMax: companyMax.taxNumberChars,
        optional: true,
      },
    ],
    validate: ({ addressLines }) => ({
      addressLines:
        linesOf(addressLines, "\n").length > companyMax.addressLines
          ? `At most ${companyMax.addressLines} lines.`
          : undefined,
    }),
    confirmLabel: "Save",
    pendingLabel: "Saving…",
    run: ({ addressLines, ...company }) =>
      api.wallet.setCompany.mutate({ ...company, addressLines: linesOf(addressLines, "\n") }),
    refreshes: [queryKey],
    toast: "Saved",
  });
}
