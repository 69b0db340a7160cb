-- Names that changed: leak reasons, and fields of records. Lines of the journal are renamed as they are read.
UPDATE calls SET record = jsonb_set(record::jsonb #- '{facts,asked}', '{facts,permission_requested}', record::jsonb #> '{facts,asked}')::text
  WHERE strpos(record, '"asked":') > 0 AND record::jsonb #> '{facts,asked}' IS NOT NULL;
UPDATE calls SET record = jsonb_set(record::jsonb #- '{facts,result,value,unrun}', '{facts,result,value,not_executed}', record::jsonb #> '{facts,result,value,unrun}')::text
  WHERE strpos(record, '"unrun":') > 0 AND record::jsonb #> '{facts,result,value,unrun}' IS NOT NULL;
UPDATE calls SET record = jsonb_set(record::jsonb #- '{facts,result,value,if_asked}', '{facts,result,value,if_permission_requested}', record::jsonb #> '{facts,result,value,if_asked}')::text
  WHERE strpos(record, '"if_asked":') > 0 AND record::jsonb #> '{facts,result,value,if_asked}' IS NOT NULL;
UPDATE requests SET record = jsonb_set(record::jsonb #- '{response,held,asked}', '{response,held,prompt_position}', record::jsonb #> '{response,held,asked}')::text
  WHERE strpos(record, '"asked":') > 0 AND record::jsonb #> '{response,held,asked}' IS NOT NULL;
UPDATE requests SET record = jsonb_set(record::jsonb #- '{response,held}', '{response,stored_response}', record::jsonb #> '{response,held}')::text
  WHERE strpos(record, '"held":') > 0 AND record::jsonb #> '{response,held}' IS NOT NULL;
UPDATE sessions SET record = jsonb_set(record::jsonb #- '{quiet_at}', '{idle_at}', record::jsonb #> '{quiet_at}')::text
  WHERE strpos(record, '"quiet_at":') > 0 AND record::jsonb #> '{quiet_at}' IS NOT NULL;
UPDATE leaks SET record = jsonb_set(record::jsonb, '{reason}', to_jsonb(CASE reason WHEN 'broken-off' THEN 'aborted' WHEN 'ended-otherwise' THEN 'unknown-stop-reason' WHEN 'hold-cap' THEN 'buffer-full' WHEN 'passed' THEN 'passed-through' WHEN 'bad-name' THEN 'invalid-name' WHEN 'arguments' THEN 'free-text-tool' WHEN 'length' THEN 'max-tokens' END))::text WHERE reason IN ('broken-off', 'ended-otherwise', 'hold-cap', 'passed', 'bad-name', 'arguments', 'length');
UPDATE leaks SET reason = CASE reason WHEN 'broken-off' THEN 'aborted' WHEN 'ended-otherwise' THEN 'unknown-stop-reason' WHEN 'hold-cap' THEN 'buffer-full' WHEN 'passed' THEN 'passed-through' WHEN 'bad-name' THEN 'invalid-name' WHEN 'arguments' THEN 'free-text-tool' WHEN 'length' THEN 'max-tokens' END WHERE reason IN ('broken-off', 'ended-otherwise', 'hold-cap', 'passed', 'bad-name', 'arguments', 'length');
