-- The limits of a key are budgets, whose periods begin in the time zone of the account: what a limit counts is what is
-- shown. A period without a limit is counted in UTC.
CREATE OR REPLACE VIEW key_money AS
  SELECT k.account_id, k.id AS key_id,
         coalesce(b.day_spent, c.day_spent + coalesce(o.day, 0)) AS day_spent_nanos,
         coalesce(b.day_held, c.day_held - coalesce(o.day, 0)) AS day_held_nanos,
         coalesce(b.week_spent, c.week_spent + coalesce(o.week, 0)) AS week_spent_nanos,
         coalesce(b.week_held, c.week_held - coalesce(o.week, 0)) AS week_held_nanos,
         coalesce(b.month_spent, c.month_spent + coalesce(o.month, 0)) AS month_spent_nanos,
         coalesce(b.month_held, c.month_held - coalesce(o.month, 0)) AS month_held_nanos,
         k.total_spent_nanos + coalesce(o.total, 0) AS total_spent_nanos,
         k.total_held_nanos - coalesce(o.total, 0) AS total_held_nanos
    FROM api_keys k
    CROSS JOIN LATERAL (SELECT
        max(m.spent_nanos) FILTER (WHERE y.period = 'day') AS day_spent,
        max(m.held_nanos) FILTER (WHERE y.period = 'day') AS day_held,
        max(m.spent_nanos) FILTER (WHERE y.period = 'week') AS week_spent,
        max(m.held_nanos) FILTER (WHERE y.period = 'week') AS week_held,
        max(m.spent_nanos) FILTER (WHERE y.period = 'month') AS month_spent,
        max(m.held_nanos) FILTER (WHERE y.period = 'month') AS month_held
      FROM budgets y JOIN budget_money m ON m.account_id = y.account_id AND m.id = y.id
     WHERE y.account_id = k.account_id AND y.subject_id = k.id AND y.kind = 'key' AND y.period <> 'total') b
    CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE 'utc')::date AS day,
        date_trunc('week', now() AT TIME ZONE 'utc')::date AS week,
        date_trunc('month', now() AT TIME ZONE 'utc')::date AS month) p
    CROSS JOIN LATERAL (SELECT
        CASE WHEN k.day_start = p.day THEN k.day_spent_nanos ELSE 0 END AS day_spent,
        CASE WHEN k.day_start = p.day THEN k.day_held_nanos ELSE 0 END AS day_held,
        CASE WHEN k.week_start = p.week THEN k.week_spent_nanos ELSE 0 END AS week_spent,
        CASE WHEN k.week_start = p.week THEN k.week_held_nanos ELSE 0 END AS week_held,
        CASE WHEN k.month_start = p.month THEN k.month_spent_nanos ELSE 0 END AS month_spent,
        CASE WHEN k.month_start = p.month THEN k.month_held_nanos ELSE 0 END AS month_held) c
    CROSS JOIN LATERAL (SELECT
        (sum(l.spent_nanos) FILTER (WHERE (l.hour AT TIME ZONE 'utc')::date = p.day))::bigint AS day,
        (sum(l.spent_nanos) FILTER (WHERE date_trunc('week', l.hour AT TIME ZONE 'utc')::date = p.week))::bigint AS week,
        (sum(l.spent_nanos) FILTER (WHERE date_trunc('month', l.hour AT TIME ZONE 'utc')::date = p.month))::bigint AS month,
        sum(l.spent_nanos)::bigint AS total
      FROM leases l WHERE l.account_id = k.account_id AND l.key_id = k.id AND l.closed_at IS NULL) o;
