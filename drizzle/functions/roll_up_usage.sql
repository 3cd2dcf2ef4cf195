-- roll_up_usage: adds the calls of some accounts up by quarter of an hour, from p_from until p_to, instead of what was
-- added up before. Returns how many rows it wrote. Twice gives the same as once. What was noted in usage_changes
-- before it read is deleted; what becomes visible meanwhile is noted again, and the next run reads it.
CREATE OR REPLACE FUNCTION roll_up_usage(p_accounts uuid[], p_from timestamptz, p_to timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_noted uuid[];
  v_account uuid;
  v_rows integer;
  v_written integer := 0;
  v_rolled_to timestamptz;
  v_minutes integer;
  v_block interval;
  v_first timestamptz;
  v_end timestamptz;
BEGIN
  -- One run at a time.
  SELECT greatest(rolled_to, p_to) INTO v_rolled_to
    FROM usage_progress WHERE sealed_before <= p_from FOR UPDATE;
  IF NOT FOUND OR p_from <> date_bin('15 minutes', p_from, '2000-01-01 00:00:00+00')
     OR p_to <> date_bin('15 minutes', p_to, '2000-01-01 00:00:00+00') THEN
    RAISE EXCEPTION 'not added up: % to %', p_from, p_to USING ERRCODE = 'check_violation';
  END IF;
  SELECT array_agg(id) INTO v_noted FROM usage_changes
   WHERE account_id = ANY (p_accounts) AND quarter >= p_from AND quarter < p_to;
  FOREACH v_account IN ARRAY p_accounts LOOP
    DELETE FROM usage_quarter_hours
     WHERE account_id = v_account AND quarter >= p_from AND quarter < p_to;
    INSERT INTO usage_quarter_hours
           (account_id, quarter, ordinal, key_id, model, provider, origin, operation, class, error_code,
            calls, free_calls, charged_nanos, shortfall_nanos, prompt_tokens, completion_tokens, cached_tokens,
            cache_write_tokens, reasoning_tokens, costed_calls, known_calls, known_charged_nanos,
            operator_cost_nanos, total_ms_counts, first_byte_ms_counts,
            images, audio_milliseconds, characters, search_units)
    SELECT v_account, quarter, row_number() OVER (PARTITION BY quarter),
           key_id, model, provider, origin, operation, class, error_code,
           sum(calls), sum(free_calls), sum(charged_nanos), sum(shortfall_nanos), sum(prompt_tokens),
           sum(completion_tokens), sum(cached_tokens), sum(cache_write_tokens), sum(reasoning_tokens),
           sum(costed_calls), sum(known_calls), sum(known_charged_nanos), sum(operator_cost_nanos),
           sum(total_ms_counts), sum(first_byte_ms_counts),
           sum(images), sum(audio_milliseconds), sum(characters), sum(search_units)
      FROM usage_of_requests
     WHERE account_id = v_account AND placed_at >= p_from AND placed_at < p_to
       -- Ids are made before calls are placed, by clocks that may differ.
       AND id >= uuid7_floor(p_from - interval '1 hour') AND id < uuid7_floor(p_to + interval '1 hour')
     GROUP BY quarter, key_id, model, provider, origin, operation, class, error_code;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    v_written := v_written + v_rows;
    -- Blocks that this touches and that are over, each from those it consists of; later ones follow when they are over.
    FOREACH v_minutes IN ARRAY ARRAY[60, 360, 1440] LOOP
      v_block := make_interval(mins => v_minutes);
      v_first := date_bin(v_block, p_from, '2000-01-01 00:00:00+00');
      v_end := date_bin(v_block, least(p_to + v_block - interval '1 microsecond', v_rolled_to), '2000-01-01 00:00:00+00');
      CONTINUE WHEN v_first >= v_end;
      DELETE FROM usage_blocks
       WHERE account_id = v_account AND minutes = v_minutes AND quarter >= v_first AND quarter < v_end;
      INSERT INTO usage_blocks
             (account_id, minutes, quarter, ordinal, key_id, model, provider, origin, operation, class, error_code,
              calls, free_calls, charged_nanos, shortfall_nanos, prompt_tokens, completion_tokens, cached_tokens,
              cache_write_tokens, reasoning_tokens, costed_calls, known_calls, known_charged_nanos,
              operator_cost_nanos, total_ms_counts, first_byte_ms_counts,
              images, audio_milliseconds, characters, search_units)
      SELECT v_account, v_minutes, block, row_number() OVER (PARTITION BY block),
             key_id, model, provider, origin, operation, class, error_code,
             sum(calls), sum(free_calls), sum(charged_nanos), sum(shortfall_nanos), sum(prompt_tokens),
             sum(completion_tokens), sum(cached_tokens), sum(cache_write_tokens), sum(reasoning_tokens),
             sum(costed_calls), sum(known_calls), sum(known_charged_nanos), sum(operator_cost_nanos),
             sum(total_ms_counts), sum(first_byte_ms_counts),
             sum(images), sum(audio_milliseconds), sum(characters), sum(search_units)
        FROM (SELECT date_bin(v_block, quarter, '2000-01-01 00:00:00+00') AS block, key_id, model, provider, origin, operation, class, error_code,
                     calls, free_calls, charged_nanos, shortfall_nanos, prompt_tokens, completion_tokens, cached_tokens,
              cache_write_tokens, reasoning_tokens, costed_calls, known_calls, known_charged_nanos,
              operator_cost_nanos, total_ms_counts, first_byte_ms_counts,
              images, audio_milliseconds, characters, search_units
                FROM usage_quarter_hours
               WHERE v_minutes = 60 AND account_id = v_account AND quarter >= v_first AND quarter < v_end
              UNION ALL
              SELECT date_bin(v_block, quarter, '2000-01-01 00:00:00+00'), key_id, model, provider, origin, operation, class, error_code,
                     calls, free_calls, charged_nanos, shortfall_nanos, prompt_tokens, completion_tokens, cached_tokens,
              cache_write_tokens, reasoning_tokens, costed_calls, known_calls, known_charged_nanos,
              operator_cost_nanos, total_ms_counts, first_byte_ms_counts,
              images, audio_milliseconds, characters, search_units
                FROM usage_blocks
               WHERE v_minutes > 60 AND account_id = v_account AND minutes = CASE v_minutes WHEN 360 THEN 60 ELSE 360 END
                 AND quarter >= v_first AND quarter < v_end) parts
       GROUP BY block, key_id, model, provider, origin, operation, class, error_code;
    END LOOP;
  END LOOP;
  DELETE FROM usage_changes
   WHERE account_id = ANY (p_accounts) AND quarter >= p_from AND quarter < p_to AND id = ANY (v_noted);
  RETURN v_written;
END $$;
