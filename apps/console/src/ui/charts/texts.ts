// Texts of the charts.
import { createTexts } from "../../lib/create-texts.ts";

const chart = {
  keys: "{title}. Arrow keys move through the bars, Enter narrows, Escape leaves.",
  keysOnly: "{title}. Arrow keys move through the values, Escape leaves.",
  announce: "{bucket}: {total}; {parts}",
  announcePlain: "{bucket}: {total}",
  part: "{label} {value}",
  soFar: "so far",
  bucketSoFar: "{bucket} (so far)",
  nothing: "no data",
  empty: "No data in this period",
  other: "Other",
  previous: "Previous period",
  total: "Total",
  asTable: "View as table",
  csv: "Download CSV",
  zoomIn: "Zoom in",
  reset: "Reset",
  legend: "Shown in {title}",
  table: "{title}, as a table",
  from: "From",
  zone: "Times in {zone}",
  loading: "Loading {title}",
} as const;

export const t = createTexts({ chart });
