// "Add a metric" that counts repeated answers.
import type { Recipe } from "./recipe.ts";

export const addMetric: Recipe = {
  title: "Add a metric",
  edits: [
    {
      file: "item-meters.ts",
      replace: "export type ItemMeters = { itemsNotKept(reason: ItemsNotKept): void };",
      by: `export type ItemMeters = {
  itemsNotKept(reason: ItemsNotKept): void;
  answerRepeated(): void;
};`,
    },
    {
      file: "item-meters.ts",
      replace: "return { itemsNotKept: (reason) => notKept.inc({ reason }) };",
      by: `const repeated = new Counter({
    name: "turnpike_answers_repeated_total",
    help: "Answers that were given again under an Idempotency-Key.",
    registers: [registry],
  });
  return {
    itemsNotKept: (reason) => notKept.inc({ reason }),
    answerRepeated: () => repeated.inc(),
  };`,
    },
    {
      file: "complete-once.ts",
      after: "call.record.isRecorded = true;",
      insert: "  gateway.metrics.answerRepeated();",
    },
    {
      file: "dashboards/console.json",
      replace: `turnpike_output_items_not_kept_total[$__rate_interval]))",
          "legendFormat": "{{reason}}"
        }`,
      by: `turnpike_output_items_not_kept_total[$__rate_interval]))",
          "legendFormat": "{{reason}}"
        },
        {
          "refId": "B",
          "datasource": {
            "type": "prometheus",
            "uid": "\${source}"
          },
          "expr": "sum(rate(turnpike_answers_repeated_total[$__rate_interval]))",
          "legendFormat": "repeated"
        }`,
    },
  ],
  generate: ["metrics-doc.fixture.ts"],
};
