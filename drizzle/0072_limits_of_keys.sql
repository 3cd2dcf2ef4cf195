-- What a key may spend are its budgets, and what it may call is its guardrail: its row no longer says either.
CREATE VIEW key_limits AS
  SELECT k.account_id, k.id AS key_id, b.day_limit_nanos, b.week_limit_nanos, b.month_limit_nanos, b.total_limit_nanos,
         g.allowed_models, g.allowed_addresses
    FROM api_keys k
    CROSS JOIN LATERAL (
      SELECT max(y.limit_nanos) FILTER (WHERE y.period = 'day') AS day_limit_nanos,
             max(y.limit_nanos) FILTER (WHERE y.period = 'week') AS week_limit_nanos,
             max(y.limit_nanos) FILTER (WHERE y.period = 'month') AS month_limit_nanos,
             max(y.limit_nanos) FILTER (WHERE y.period = 'total') AS total_limit_nanos
        FROM budgets y WHERE y.account_id = k.account_id AND y.subject_id = k.id AND y.kind = 'key') b
    LEFT JOIN guardrails g ON g.account_id = k.account_id AND g.subject_id = k.id AND g.kind = 'key';
