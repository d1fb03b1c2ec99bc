-- SPDX-License-Identifier: Apache-2.0
-- Every statement that the store runs; "-- :name" begins one (store/db.h
-- lists the names).

-- :begin
BEGIN IMMEDIATE;
-- :begin_read
BEGIN;
-- :commit
COMMIT;
-- :rollback
ROLLBACK;

-- :settle
-- S5: claims of a process that is gone are worth nothing; what it set aside
-- may be tried again.
UPDATE candidate SET state = CASE state WHEN 5 THEN 4 ELSE 0 END
WHERE state IN (1, 2, 5);

-- :add_project
INSERT INTO project (name, repo_url, source, mirror) VALUES (?1, ?2, ?3, ?4);
-- :project
SELECT id, name, repo_url, source, mirror, excluded_reason, excluded_at,
	mined_tips, roots, first_parent
FROM project WHERE name = ?1;
-- :project_names
SELECT name FROM project ORDER BY name;
-- :set_mined
UPDATE project SET mined_tips = ?2, roots = ?3, first_parent = ?4
WHERE id = ?1;
-- :set_source
UPDATE project SET source = ?2, repo_url = ?3 WHERE id = ?1;
-- :exclude
UPDATE project SET excluded_reason = ?2, excluded_at = ?3
WHERE id = ?1 AND excluded_at IS NULL;

-- :add_reason
INSERT INTO reason (name) VALUES (?1) ON CONFLICT (name) DO NOTHING;
-- :reason
SELECT id FROM reason WHERE name = ?1;

-- :put_commit
INSERT INTO walked (project, oid, parent, n_parents, committed_at, reason,
	detail)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (oid, project) DO NOTHING;
-- :put_candidate
INSERT INTO candidate (id, project, oid, committed_at, licence, licence_file,
	licence_texts, is_merge)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);
-- :judge_again
-- S1: a walk of the other kind (W2), or one that finds what was missing.
UPDATE walked SET parent = ?3, n_parents = ?4, committed_at = ?5,
	reason = ?6, detail = ?7
WHERE oid = ?2 AND project = ?1 AND reason IS NOT NULL AND reason IS NOT ?6
	AND (?8 OR reason IN (SELECT id FROM reason WHERE name IN ('merge',
		'parent missing', 'missing object', 'unreadable object')))
RETURNING id;
-- :incomplete
-- Is there a commit that could not be seen whole?
SELECT 1 FROM walked WHERE project = ?1 AND reason IN (SELECT id FROM reason
	WHERE name IN ('parent missing', 'missing object',
		'unreadable object')) LIMIT 1;

-- :put_text
INSERT INTO text (sha256, body) VALUES (?1, ?2)
ON CONFLICT (sha256) DO NOTHING;
-- :text
SELECT body FROM text WHERE sha256 = ?1;

-- :turns
SELECT id, name, first_parent FROM project WHERE excluded_at IS NULL
ORDER BY id;
-- :floor
-- The newest N of a project: the date and id of the N-th.
SELECT committed_at, oid FROM candidate
WHERE project = ?1 AND committed_at BETWEEN ?2 AND ?3 AND is_merge <= ?5
ORDER BY committed_at DESC, oid DESC LIMIT 1 OFFSET ?4;
-- :newest
SELECT id, committed_at, oid FROM candidate
WHERE state = ?1 AND project = ?2 AND committed_at BETWEEN ?3 AND ?4
	AND (committed_at, oid) >= (?3, ?5) AND is_merge <= ?6
ORDER BY committed_at DESC, oid DESC LIMIT 1;
-- :count_state
SELECT count(*) FROM candidate
WHERE state = ?1 AND project = ?2 AND committed_at BETWEEN ?3 AND ?4
	AND (committed_at, oid) >= (?3, ?5) AND is_merge <= ?6;
-- :claim
UPDATE candidate SET state = 1, reason = NULL, detail = NULL, module = NULL
WHERE id = ?1;
-- :work
SELECT p.id, p.name, p.repo_url, p.mirror, w.oid, w.parent, w.n_parents,
	w.committed_at, c.licence, c.licence_file, c.licence_texts
FROM candidate c JOIN walked w ON w.id = c.id JOIN project p
	ON p.id = c.project
WHERE c.id = ?1;
-- :finish
UPDATE candidate SET state = ?2, reason = ?3, detail = ?4, module = ?5
WHERE id = ?1 AND state = 1;
-- :put_record
INSERT INTO record (candidate, project, oid, committed_at, id, fingerprint,
	granularity, change_kind, body, evidence)
SELECT id, project, oid, committed_at, ?2, ?3, ?4, ?5, ?6, ?7
FROM candidate WHERE id = ?1;
-- :put_runs
INSERT INTO runs (candidate, body) VALUES (?1, ?2)
ON CONFLICT (candidate) DO UPDATE SET body = excluded.body;

-- :put_tip_blob
INSERT INTO tip_blob (project, oid) VALUES (?1, ?2)
ON CONFLICT (project, oid) DO NOTHING;
-- :put_tip_text
INSERT INTO tip_text (hash, project) VALUES (?1, ?2)
ON CONFLICT (hash, project) DO NOTHING;
-- :has_tip_blob
SELECT 1 FROM tip_blob WHERE project = ?1 AND oid = ?2;
-- :also_in
SELECT p.name FROM tip_text t JOIN project p ON p.id = t.project
WHERE t.hash = ?3 AND p.name <> ?1 AND p.excluded_at IS NULL
UNION
SELECT repo FROM live WHERE fingerprint = ?2 AND repo <> ?1
ORDER BY 1;

-- :funnel_projects
SELECT count(*) FROM project WHERE ?1 IS NULL OR name = ?1;
-- :funnel_walked
SELECT p.name, r.name, w.n
FROM (SELECT project, reason, count(*) AS n FROM walked
	WHERE reason IS NOT NULL GROUP BY project, reason) w
	JOIN project p ON p.id = w.project JOIN reason r ON r.id = w.reason
WHERE ?1 IS NULL OR p.name = ?1;
-- :funnel_candidates
SELECT p.excluded_at IS NOT NULL, c.state, r.name, c.n,
	c.is_merge > p.first_parent
FROM (SELECT project, state, reason, is_merge, count(*) AS n FROM candidate
	GROUP BY project, state, reason, is_merge) c
	JOIN project p ON p.id = c.project LEFT JOIN reason r
	ON r.id = c.reason
WHERE ?1 IS NULL OR p.name = ?1;
-- :funnel_records
SELECT granularity, change_kind, count(*) FROM standing
WHERE ?1 IS NULL OR repo = ?1
GROUP BY granularity, change_kind;
-- :funnel_lacking
SELECT c.module, count(*) FROM candidate c JOIN project p ON p.id = c.project
WHERE c.state IN (4, 5) AND c.module IS NOT NULL AND p.excluded_at IS NULL
	AND c.is_merge <= p.first_parent
	AND (?1 IS NULL OR p.name = ?1)
GROUP BY c.module;

-- :find_record
SELECT candidate, id FROM record
WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id LIMIT 2;
-- :record_ids
SELECT r.id, p.name FROM record r JOIN project p ON p.id = r.project
WHERE r.id >= ?1 AND r.id < ?1 || 'g' ORDER BY r.id LIMIT ?2;
-- :find_commit
SELECT w.id, p.name, w.oid FROM walked w JOIN project p ON p.id = w.project
WHERE w.oid BETWEEN ?1 AND ?2 AND (?3 IS NULL OR p.name = ?3)
ORDER BY w.oid, p.name LIMIT 3;
-- :story
SELECT p.name, w.oid, w.parent, w.committed_at, c.state,
	coalesce(cr.name, wr.name), coalesce(c.detail, w.detail), c.licence,
	c.licence_file, p.excluded_at IS NOT NULL, p.excluded_reason,
	c.is_merge > p.first_parent
FROM walked w JOIN project p ON p.id = w.project
	LEFT JOIN candidate c ON c.id = w.id
	LEFT JOIN reason wr ON wr.id = w.reason
	LEFT JOIN reason cr ON cr.id = c.reason
WHERE w.id = ?1;
-- :record
SELECT id, body, evidence, fingerprint FROM record WHERE candidate = ?1;
-- :stands
SELECT id FROM standing WHERE fingerprint = ?1;
-- :runs
SELECT body FROM runs WHERE candidate = ?1;

-- :release
SELECT candidate, change_kind, repo FROM standing
ORDER BY repo, committed_at, id;
-- :withdrawn
SELECT p.name, r.id, p.excluded_at, p.excluded_reason
FROM record r JOIN project p ON p.id = r.project
WHERE p.excluded_at IS NOT NULL ORDER BY r.id;

-- :put_published
INSERT INTO published (id, withheld) VALUES (?1, ?2)
ON CONFLICT (id, withheld) DO NOTHING;
-- :was_published
SELECT 1 FROM published WHERE id = ?1 AND withheld = ?2;
-- :fingerprints
-- P4: of every project, also of those that are excluded or whose record is a
-- duplicate: who shares code does not change with what is released.
SELECT p.name, lower(hex(r.fingerprint))
FROM record r JOIN project p ON p.id = r.project ORDER BY p.name, r.id;

-- :put_instance
INSERT INTO instance (system, name, project, oid, problem, base, tests)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (system, name) DO UPDATE SET project = excluded.project,
	oid = excluded.oid, problem = excluded.problem, base = excluded.base,
	tests = excluded.tests;
-- :instances
SELECT system, name, project, oid, problem, base, tests FROM instance
WHERE ?1 IS NULL OR project = ?1 ORDER BY system, project, name;

-- :is_surveyed
SELECT 1 FROM project WHERE id = ?1 AND surveyed_tips = mined_tips;
-- :set_surveyed
UPDATE project SET surveyed_tips = mined_tips WHERE id = ?1;
-- :project_by_source
SELECT name FROM project WHERE source = ?1;
