// The tables of the errors page, from the same list that explains a failed request in Logs.
import { apiErrors } from "../shared/api-errors.ts";

const titles = {
  request: "Your request",
  access: "Authentication and permissions",
  money: "Money and limits",
  missing: "Resources",
  ours: "Our side or the provider's",
} as const;

export function writeErrorTables(): string {
  const errors = Object.values(apiErrors);
  return Object.entries(titles)
    .map(([group, title]) => {
      const rows = errors.filter((error) => error.group === group).map(writeRow);
      const head = "| Status and code | Meaning | Fix |\n| --- | --- | --- |";
      return `## ${title}\n\n${head}\n${[...new Set(rows)].join("\n")}`;
    })
    .join("\n\n");
}

type Row = (typeof apiErrors)[keyof typeof apiErrors];

function writeRow({ status, code, meaning, fix }: Row): string {
  const name = code === null ? "(no code)" : `\`${code}\``;
  return `| ${status} ${name} | ${meaning} | ${fix ?? ""} |`;
}
