-- Names that changed: leak reasons, and fields of records. Lines of the journal are renamed as they are read.
UPDATE calls SET record = json_remove(json_set(record, '$.facts.permission_requested', json(record -> '$.facts.asked')), '$.facts.asked')
  WHERE instr(record, '"asked":') > 0 AND json_type(record, '$.facts.asked') IS NOT NULL;
UPDATE calls SET record = json_remove(json_set(record, '$.facts.result.value.not_executed', json(record -> '$.facts.result.value.unrun')), '$.facts.result.value.unrun')
  WHERE instr(record, '"unrun":') > 0 AND json_type(record, '$.facts.result.value.unrun') IS NOT NULL;
UPDATE calls SET record = json_remove(json_set(record, '$.facts.result.value.if_permission_requested', json(record -> '$.facts.result.value.if_asked')), '$.facts.result.value.if_asked')
  WHERE instr(record, '"if_asked":') > 0 AND json_type(record, '$.facts.result.value.if_asked') IS NOT NULL;
UPDATE requests SET record = json_remove(json_set(record, '$.response.held.prompt_position', json(record -> '$.response.held.asked')), '$.response.held.asked')
  WHERE instr(record, '"asked":') > 0 AND json_type(record, '$.response.held.asked') IS NOT NULL;
UPDATE requests SET record = json_remove(json_set(record, '$.response.stored_response', json(record -> '$.response.held')), '$.response.held')
  WHERE instr(record, '"held":') > 0 AND json_type(record, '$.response.held') IS NOT NULL;
UPDATE sessions SET record = json_remove(json_set(record, '$.idle_at', json(record -> '$.quiet_at')), '$.quiet_at')
  WHERE instr(record, '"quiet_at":') > 0 AND json_type(record, '$.quiet_at') IS NOT NULL;
UPDATE leaks SET record = json_set(record, '$.reason', CASE reason WHEN 'broken-off' THEN 'aborted' WHEN 'ended-otherwise' THEN 'unknown-stop-reason' WHEN 'hold-cap' THEN 'buffer-full' WHEN 'passed' THEN 'passed-through' WHEN 'bad-name' THEN 'invalid-name' WHEN 'arguments' THEN 'free-text-tool' WHEN 'length' THEN 'max-tokens' END) WHERE reason IN ('broken-off', 'ended-otherwise', 'hold-cap', 'passed', 'bad-name', 'arguments', 'length');
UPDATE leaks SET reason = CASE reason WHEN 'broken-off' THEN 'aborted' WHEN 'ended-otherwise' THEN 'unknown-stop-reason' WHEN 'hold-cap' THEN 'buffer-full' WHEN 'passed' THEN 'passed-through' WHEN 'bad-name' THEN 'invalid-name' WHEN 'arguments' THEN 'free-text-tool' WHEN 'length' THEN 'max-tokens' END WHERE reason IN ('broken-off', 'ended-otherwise', 'hold-cap', 'passed', 'bad-name', 'arguments', 'length');
