// What calls cost the operator, by the `cost` of the catalog.
import { formatSum } from "@turnpike/format";
import { type CostRow, queryCosts } from "@turnpike/reports";
import { formatUsd, toNanos } from "@turnpike/terms";
import { daysAgo, daysInput } from "./inputs.ts";
import { everyone, query } from "./verb.ts";

export const costVerbs = {
  show: query({
    roles: everyone,
    summary:
      "what calls were charged and cost by model and provider, over the last 30 days or DAYS",
    input: { days: daysInput(3_650) },
    async run({ db }, _, { days }) {
      const since = daysAgo(days);
      const rows = await queryCosts(db, since);
      return { since: since.toISOString(), routes: rows.map(presentRow) };
    },
    describe: ({ routes }) =>
      routes.length === 0 ? ["No calls were charged."] : routes.map(describeRow),
  }),
};

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

function describeRow(row: ReturnType<typeof presentRow>): string {
  const { model, provider, calls, charged_usd, calls_with_cost, cost_usd, margin_usd } = row;
  const head = `${model} at ${provider}: ${calls} calls, charged ${formatSum(charged_usd)}`;
  if (cost_usd === null || margin_usd === null) return `${head}; the catalog has no cost for them`;
  const unknown = calls - calls_with_cost;
  const rest = unknown === 0 ? "" : ` (${unknown} calls without a known cost omitted)`;
  return `${head}, cost ${formatSum(cost_usd)}, margin ${formatSum(margin_usd)}${rest}`;
}
