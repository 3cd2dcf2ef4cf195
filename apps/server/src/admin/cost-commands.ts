// Operator commands for what calls cost the operator, by the `cost` of the catalog.

import { formatSum } from "@turnpike/format";
import { type CostRow, readCosts } from "@turnpike/reports";
import { formatUsd, toNanos } from "@turnpike/terms";
import { type Command, defineCommand } from "./command.ts";
import { readSince } from "./read-since.ts";

export const costCommands = {
  "cost show": defineCommand({
    required: [],
    optional: ["days"],
    summary:
      "what calls were charged and cost by model and provider, over the last 30 days or DAYS",
    async run({ db }, { days }) {
      const since = readSince(days);
      const rows = await readCosts(db(), since);
      return {
        json: { since: since.toISOString(), routes: rows.map(presentRow) },
        text: rows.length === 0 ? ["No calls were charged."] : rows.map(describeRow),
      };
    },
  }),
} satisfies Record<string, Command>;

/** `margin_usd` compares only the calls whose cost is known. Without one, it and the cost are unknown, not zero. */
function presentRow(row: CostRow) {
  const usd = row.knownCalls === 0 ? () => null : formatUsd;
  return {
    model: row.model,
    provider: row.provider,
    calls: row.calls,
    charged_usd: formatUsd(row.chargedNanos),
    calls_with_cost: row.knownCalls,
    cost_usd: usd(row.costNanos),
    margin_usd: usd(toNanos(row.knownChargedNanos - row.costNanos)),
  };
}

function describeRow(row: CostRow): string {
  const { model, provider, calls, charged_usd, cost_usd, margin_usd } = presentRow(row);
  const head = `${model} at ${provider}: ${calls} calls, charged ${formatSum(charged_usd)}`;
  const unknown = row.calls - row.knownCalls;
  if (cost_usd === null || margin_usd === null) return `${head}; the catalog has no cost for them`;
  const rest = unknown === 0 ? "" : ` (${unknown} calls without a known cost omitted)`;
  return `${head}, cost ${formatSum(cost_usd)}, margin ${formatSum(margin_usd)}${rest}`;
}
