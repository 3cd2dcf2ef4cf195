// A statement of payments and usage as a PDF. The same statement gives the same bytes: nothing in it is of the moment.
import { fileURLToPath } from "node:url";
import type { CompanyDetails } from "@turnpike/db";
import type { Statement, StatementUsage } from "@turnpike/reports";
import { formatUsd, toNanos } from "@turnpike/terms";
import PDFDocument from "pdfkit";
import { drawNames } from "./draw-names.ts";
import { openNameFonts } from "./open-name-fonts.ts";

export type StatementParties = {
  /** `2026-10-1A2B3C4D`. */
  readonly number: string;
  /** The operator. */
  readonly from: CompanyDetails;
  readonly to: CompanyDetails;
};

type Document = InstanceType<typeof PDFDocument>;

// Names are not only Latin: the fonts every PDF reader has are. What these lack, `open-name-fonts.ts` has.
const plain = fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
const bold = fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"));
const marginPoints = 56;
const [textPoints, headingPoints, titlePoints] = [9, 11, 16];
const typeNames = {
  top_up: "Top-up",
  refund: "Refund",
  dispute: "Dispute",
  adjustment: "Adjustment",
} as const;

export async function writeStatementPdf(
  statement: Statement,
  parties: StatementParties,
): Promise<Buffer> {
  const document = new PDFDocument({
    size: "A4",
    margin: marginPoints,
    font: plain,
    lang: "en",
    info: { Title: `Statement ${parties.number}`, CreationDate: statement.to },
  });
  drawNames(document, await openNameFonts(namesIn(statement, parties)));
  const chunks: Buffer[] = [];
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on("data", (chunk: Buffer) => chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
  writeHead(document, statement, parties);
  writeSummary(document, statement);
  writePayments(document, statement);
  writeUsage(document, statement);
  document.end();
  return written;
}

/** All that people wrote. */
function namesIn(
  { payments, usage }: Statement,
  { from, to }: StatementParties,
): readonly string[] {
  return [
    ...[from, to].flatMap((party) => [party.name, ...party.addressLines, party.taxNumber]),
    ...payments.map(({ reason }) => reason),
    ...usage.map(nameOf),
  ];
}

function writeHead(document: Document, statement: Statement, parties: StatementParties): void {
  const { from, to, number } = parties;
  document.font(bold).fontSize(titlePoints).text("Statement of payments and usage");
  document.font(plain).fontSize(textPoints).moveDown(0.5);
  document.text(`Statement ${number}`);
  document.text(`Period: ${dayOf(statement.from)} to ${lastDayOf(statement)} (UTC)`);
  document.text("All amounts are in US dollars.").moveDown(1.5);
  document.table({
    columnStyles: ["*", "*"],
    defaultStyle: { border: 0, padding: 0 },
    data: [[partyText("From", from), partyText("To", to)]],
  });
  document.moveDown(1);
}

function partyText(label: string, { name, addressLines, taxNumber }: CompanyDetails): string {
  const lines = [label, name, ...addressLines, taxNumber && `Tax ID: ${taxNumber}`];
  return lines.filter((line) => line !== "").join("\n");
}

function writeSummary(document: Document, statement: Statement): void {
  writeTable(document, "Summary", {
    head: ["", "Amount"],
    rows: [
      [`Balance before ${dayOf(statement.from)}`, usdOf(statement.openingNanos)],
      ["Payments, less what was taken back", usdOf(statement.paidNanos)],
      ["Usage", usdOf(-statement.usedNanos)],
      [`Balance after ${lastDayOf(statement)}`, usdOf(statement.closingNanos)],
    ],
  });
}

function writePayments(document: Document, { payments, paidNanos }: Statement): void {
  writeTable(document, "Payments", {
    head: ["Date", "Type", "Description", "Amount"],
    rows: payments.map(({ at, type, reason, amountNanos }) => [
      dayOf(at),
      typeNames[type],
      reason,
      usdOf(amountNanos),
    ]),
    total: ["Total payments", "", "", usdOf(paidNanos)],
  });
}

function writeUsage(document: Document, { usage, usedNanos }: Statement): void {
  writeTable(document, "Usage", {
    head: ["API key", "Requests", "Cost"],
    rows: usage.map((line) => [
      nameOf(line),
      line.calls.toLocaleString("en"),
      usdOf(line.costNanos),
    ]),
    total: ["Total usage", "", usdOf(usedNanos)],
  });
  document.text("Prepaid: usage was paid from the balance. Nothing is due.");
}

function nameOf({ source, keyId, keyName }: StatementUsage): string {
  if (source === "earlier") return "Not posted by key";
  return keyName ?? keyId ?? "Playground";
}

type TableText = {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly total?: readonly string[];
};

/** The last column is amounts; the first row and the total are bold. */
function writeTable(document: Document, title: string, { head, rows, total }: TableText): void {
  document.font(bold).fontSize(headingPoints).text(title, marginPoints);
  document.font(plain).fontSize(textPoints).moveDown(0.3);
  const strong = (cells: readonly string[]) =>
    cells.map((text) => ({ text, font: { src: bold, size: textPoints } }));
  document.table({
    columnStyles: head.map((_, index) => ({
      width: widthOf(index, head.length),
      align: { x: index === head.length - 1 ? "right" : "left", y: "top" } as const,
    })),
    defaultStyle: { border: [0, 0, 0.5, 0], borderColor: "#bbbbbb", padding: 4 },
    data: [strong(head), ...rows.map((row) => [...row]), ...(total ? [strong(total)] : [])],
  });
  document.moveDown(1.5);
}

/** The description, or the only text, takes what the others leave; a date needs more than a type. */
function widthOf(index: number, columns: number): number | "*" {
  const widest = columns === 4 ? 2 : 0;
  if (index === widest) return "*";
  if (index === columns - 1) return 130;
  return index === 0 ? 110 : 80;
}

/** Exact, and to the cent at least. */
function usdOf(nanos: bigint): string {
  const text = formatUsd(toNanos(nanos < 0n ? -nanos : nanos));
  const [whole = "0", fraction = ""] = text.split(".");
  const grouped = BigInt(whole).toLocaleString("en");
  return `${nanos < 0n ? "-" : ""}$${grouped}.${fraction.padEnd(2, "0")}`;
}

function dayOf(at: Date): string {
  return at.toLocaleDateString("en-US", { timeZone: "UTC", dateStyle: "long" });
}

function lastDayOf({ to }: Statement): string {
  return dayOf(new Date(to.getTime() - 1));
}
