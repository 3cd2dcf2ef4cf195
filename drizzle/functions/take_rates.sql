-- take_rates: decides, for a batch of waiting calls of one instance, what rate limits of their keys, projects and
-- accounts still allow, under the locks of the buckets in order of their keys. A bucket counts what was taken and
-- has not refilled (used), so a raised limit applies at once; of a lowered limit as large a part is used as was of the
-- higher one, or it would be refused for as long as that takes to refill at the lower rate. A bucket of concurrency
-- counts the slots that each instance holds. A call takes all it needs, or nothing.
--   p_accounts, p_subjects, p_names, p_limits   the buckets, each once, with the limit that the instance knows
--   p_settled   of a rate, what the instance used without asking, less what it returns; of concurrency, the slots
--               that it keeps
--   p_ahead     what the recent demand suggests as a head start
--   p_calls, p_buckets, p_needs   what the calls need: the number of the call, from 1 and ascending, the position
--               of the bucket and how much of it
-- Returns arrays:
--   refused     for each call, the position of the first bucket that has too little; 0 if the call was granted
--   extra       for each bucket, what was taken as a head start
--   remaining   for each bucket, what is left for all instances
-- Slots of an instance that ended or has been silent for p_silent count only while nobody needs them.
CREATE OR REPLACE FUNCTION take_rates(
  p_instance uuid, p_silent interval,
  p_accounts uuid[], p_subjects uuid[], p_names text[], p_limits double precision[],
  p_settled double precision[], p_ahead double precision[],
  p_calls integer[], p_buckets integer[], p_needs double precision[],
  OUT refused integer[], OUT extra double precision[], OUT remaining double precision[]
) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off
SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_n integer := cardinality(p_names); v_items integer := cardinality(p_calls);
  v_me text := p_instance::text; v_now timestamptz; v_at timestamptz[]; v_used double precision[];
  v_limits double precision[];
  v_slots jsonb[]; v_is_slots boolean[]; v_pruned boolean[]; v_most double precision[]; v_mine double precision[];
  i integer := 1; j integer; b integer; v_refused integer;
BEGIN
  IF v_n = 0 THEN RETURN; END IF;
  -- Before anything is locked, in the order of the locks: so no two batches wait for each other.
  INSERT INTO rate_buckets (account_id, subject_id, name)
    SELECT w.a, w.s, w.n FROM unnest(p_accounts, p_subjects, p_names) w (a, s, n)
     WHERE NOT EXISTS (SELECT FROM rate_buckets x
                        WHERE x.account_id = w.a AND x.subject_id = w.s AND x.name = w.n)
     ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
  SELECT array_agg(x.used ORDER BY x.at), array_agg(x.counted_at ORDER BY x.at), array_agg(x.slots ORDER BY x.at),
         array_agg(x.name LIKE '%concurrency' ORDER BY x.at), array_agg(coalesce(x.counted_limit, 0) ORDER BY x.at)
    INTO v_used, v_at, v_slots, v_is_slots, v_limits
    FROM (SELECT y.used, y.counted_at, y.counted_limit, y.slots, y.name, w.at
            FROM unnest(p_accounts, p_subjects, p_names) WITH ORDINALITY w (a, s, n, at)
            JOIN rate_buckets y ON y.account_id = w.a AND y.subject_id = w.s AND y.name = w.n
           ORDER BY y.account_id, y.subject_id, y.name FOR UPDATE OF y) x;
  IF cardinality(v_used) IS DISTINCT FROM v_n THEN
    RAISE EXCEPTION 'a bucket was purged meanwhile' USING ERRCODE = 'serialization_failure';
  END IF;
  v_now := clock_timestamp();
  extra := array_fill(0::double precision, ARRAY[v_n]);
  v_most := extra; v_mine := p_settled;
  v_pruned := array_fill(false, ARRAY[v_n]);
  refused := array_fill(0, ARRAY[coalesce(p_calls[v_items], 0)]);
  FOR j IN 1 .. v_n LOOP
    IF v_is_slots[j] THEN
      v_slots[j] := v_slots[j] - v_me;
      v_used[j] := p_settled[j];
      -- A query takes much longer than anything else here.
      IF v_slots[j] <> '{}' THEN
        v_used[j] := v_used[j] + (SELECT sum(value::double precision) FROM jsonb_each_text(v_slots[j]));
      END IF;
    ELSE
      IF p_limits[j] < v_limits[j] THEN v_used[j] := v_used[j] * p_limits[j] / v_limits[j]; END IF;
      v_used[j] := greatest(0, greatest(0, v_used[j]
        - greatest(0, extract(epoch FROM v_now - v_at[j])) * p_limits[j] / 60) + p_settled[j]);
    END IF;
  END LOOP;

  WHILE i <= v_items LOOP
    v_refused := 0;
    j := i;
    WHILE j <= v_items AND p_calls[j] = p_calls[i] LOOP
      b := p_buckets[j];
      IF p_limits[b] - v_used[b] < p_needs[j] AND v_is_slots[b] AND NOT v_pruned[b] THEN
        v_pruned[b] := true;
        v_slots[b] := (SELECT coalesce(jsonb_object_agg(s.key, s.value), '{}')
          FROM jsonb_each(v_slots[b]) s JOIN instances n ON n.id = s.key::uuid
         WHERE n.ended_at IS NULL AND n.heartbeat_at >= v_now - p_silent);
        v_used[b] := v_mine[b] + coalesce((SELECT sum(value::double precision) FROM jsonb_each_text(v_slots[b])), 0);
      END IF;
      IF v_refused = 0 AND p_limits[b] - v_used[b] < p_needs[j] THEN v_refused := b; END IF;
      j := j + 1;
    END LOOP;
    refused[p_calls[i]] := v_refused;
    WHILE i < j LOOP
      IF v_refused = 0 THEN
        b := p_buckets[i];
        v_used[b] := v_used[b] + p_needs[i];
        v_mine[b] := v_mine[b] + p_needs[i];
        v_most[b] := greatest(v_most[b], p_needs[i]);
      END IF;
      i := i + 1;
    END LOOP;
  END LOOP;

  FOR j IN 1 .. v_n LOOP
    IF v_most[j] > 0 THEN
      extra[j] := floor(head_start(p_limits[j] - v_used[j], v_most[j], p_ahead[j]));
      v_used[j] := v_used[j] + extra[j];
      v_mine[j] := v_mine[j] + extra[j];
    END IF;
    remaining[j] := p_limits[j] - v_used[j];
    IF v_is_slots[j] AND v_mine[j] > 0 THEN
      v_slots[j] := v_slots[j] || jsonb_build_object(v_me, v_mine[j]);
    END IF;
  END LOOP;
  UPDATE rate_buckets x SET used = v_used[w.at], counted_at = v_now, counted_limit = p_limits[w.at],
      slots = v_slots[w.at]
    FROM generate_series(1, v_n) w (at)
   WHERE x.account_id = p_accounts[w.at] AND x.subject_id = p_subjects[w.at] AND x.name = p_names[w.at];
END $$;
