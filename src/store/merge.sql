-- SPDX-License-Identifier: Apache-2.0
-- What merging and copying run; "-- :name" begins a statement (merge.c). `main` is the store that grows, `other` the one that is read.

-- :copy
VACUUM INTO ?1;

-- :attach
ATTACH ?1 AS other;
-- :detach
DETACH other;

-- :conflicts
-- Facts that cannot both be true: the project, the commit, ours, theirs.
SELECT a.name, NULL, 'the repository ' || quote(a.repo_url),
	'the repository ' || quote(b.repo_url)
FROM main.project a JOIN other.project b ON b.name = a.name
WHERE a.repo_url <> b.repo_url
UNION ALL
SELECT a.name, NULL, 'a history that begins at ' || (a.roots ->> 0),
	'one that begins at ' || (b.roots ->> 0)
FROM main.project a JOIN other.project b ON b.name = a.name
WHERE a.roots <> '[]' AND b.roots <> '[]' AND NOT EXISTS (
	SELECT 1 FROM json_each(a.roots) x JOIN json_each(b.roots) y
		ON y.value = x.value)
UNION ALL
SELECT a.name, NULL,
	CASE a.first_parent WHEN 1 THEN 'walked by first parents'
		ELSE 'walked by all commits' END, 'the other way'
FROM main.project a JOIN other.project b ON b.name = a.name
WHERE a.mined_tips <> '[]' AND b.mined_tips <> '[]'
	AND a.first_parent <> b.first_parent
UNION ALL
SELECT p.name, a.oid,
	CASE WHEN a.reason IS NULL THEN 'a candidate'
		ELSE 'refused when mined: ' || ar.name END,
	CASE WHEN b.reason IS NULL THEN 'a candidate'
		ELSE 'refused when mined: ' || br.name END
FROM other.walked b JOIN other.project op ON op.id = b.project
	JOIN main.project p ON p.name = op.name
	JOIN main.walked a ON a.oid = b.oid AND a.project = p.id
	LEFT JOIN main.reason ar ON ar.id = a.reason
	LEFT JOIN other.reason br ON br.id = b.reason
WHERE ar.name IS NOT br.name OR a.parent IS NOT b.parent
	OR a.committed_at IS NOT b.committed_at
UNION ALL
SELECT p.name, a.oid,
	'licence ' || coalesce(a.licence, 'none') || ' by ' ||
		coalesce(a.licence_file, 'no file'),
	'licence ' || coalesce(b.licence, 'none') || ' by ' ||
		coalesce(b.licence_file, 'no file')
FROM other.candidate b JOIN other.project op ON op.id = b.project
	JOIN main.project p ON p.name = op.name
	JOIN main.walked w ON w.oid = b.oid AND w.project = p.id
	JOIN main.candidate a ON a.id = w.id
WHERE (a.licence, a.licence_file, a.licence_texts) IS NOT
	(b.licence, b.licence_file, b.licence_texts)
UNION ALL
SELECT p.name, a.oid,
	CASE a.state WHEN 6 THEN 'a record' ELSE 'refused: ' || ar.name END,
	CASE b.state WHEN 6 THEN 'a record' ELSE 'refused: ' || br.name END
FROM other.candidate b JOIN other.project op ON op.id = b.project
	JOIN main.project p ON p.name = op.name
	JOIN main.walked w ON w.oid = b.oid AND w.project = p.id
	JOIN main.candidate a ON a.id = w.id
	LEFT JOIN main.reason ar ON ar.id = a.reason
	LEFT JOIN other.reason br ON br.id = b.reason
WHERE a.state IN (3, 6) AND b.state IN (3, 6)
	AND (a.state <> b.state OR ar.name IS NOT br.name);
-- :record_pairs
-- Records of one commit that are not the same bytes.
SELECT p.name, a.oid, a.id, b.id, a.body, b.body
FROM other.record b JOIN other.project op ON op.id = b.project
	JOIN main.project p ON p.name = op.name
	JOIN main.walked w ON w.oid = b.oid AND w.project = p.id
	JOIN main.record a ON a.candidate = w.id
WHERE a.body <> b.body OR a.id <> b.id;

-- :reasons
INSERT INTO main.reason (name) SELECT name FROM other.reason
WHERE true ORDER BY id ON CONFLICT (name) DO NOTHING;
-- :projects
INSERT INTO main.project (name, repo_url, source, mirror, first_parent)
SELECT name, repo_url, source, mirror, first_parent FROM other.project
WHERE true ORDER BY name ON CONFLICT (name) DO NOTHING;
-- :tips
-- The history of the tips of both is here. The first exclusion stands.
UPDATE main.project SET
	first_parent = CASE main.project.mined_tips WHEN '[]'
		THEN o.first_parent ELSE main.project.first_parent END,
	mined_tips = (SELECT json_group_array(value) FROM (
		SELECT value FROM json_each(main.project.mined_tips) UNION
		SELECT value FROM json_each(o.mined_tips) ORDER BY 1)),
	surveyed_tips = (SELECT json_group_array(value) FROM (
		SELECT value FROM json_each(main.project.surveyed_tips) UNION
		SELECT value FROM json_each(o.surveyed_tips) ORDER BY 1)),
	roots = (SELECT json_group_array(value) FROM (
		SELECT value FROM json_each(main.project.roots) UNION
		SELECT value FROM json_each(o.roots) ORDER BY 1)),
	excluded_reason = CASE WHEN o.excluded_at < coalesce(
		main.project.excluded_at, '~') THEN o.excluded_reason
		ELSE main.project.excluded_reason END,
	excluded_at = CASE WHEN o.excluded_at < coalesce(
		main.project.excluded_at, '~') THEN o.excluded_at
		ELSE main.project.excluded_at END
FROM other.project o WHERE o.name = main.project.name;
-- :walked
INSERT INTO main.walked (project, oid, parent, n_parents, committed_at,
	reason, detail)
SELECT p.id, w.oid, w.parent, w.n_parents, w.committed_at, r.id, w.detail
FROM other.walked w JOIN other.project op ON op.id = w.project
	JOIN main.project p ON p.name = op.name
	LEFT JOIN other.reason o ON o.id = w.reason
	LEFT JOIN main.reason r ON r.name = o.name
WHERE true ORDER BY w.id ON CONFLICT (oid, project) DO NOTHING;
-- :taken_table
-- Candidates of which the other one knows more, as rows here and there.
CREATE TEMP TABLE IF NOT EXISTS taken (
	id INTEGER PRIMARY KEY, other INTEGER NOT NULL, is_new INTEGER NOT NULL
) STRICT;
-- :taken_none
DELETE FROM temp.taken;
-- :taken
INSERT INTO temp.taken (id, other, is_new)
SELECT w.id, b.id, a.id IS NULL
FROM other.candidate b JOIN other.project op ON op.id = b.project
	JOIN main.project p ON p.name = op.name
	JOIN main.walked w ON w.oid = b.oid AND w.project = p.id
	LEFT JOIN main.candidate a ON a.id = w.id
WHERE a.id IS NULL
	OR (CASE WHEN b.state IN (3, 6) THEN 2 ELSE b.state IN (4, 5) END)
	> (CASE WHEN a.state IN (3, 6) THEN 2 ELSE a.state IN (4, 5) END);
-- :candidates
-- S5: claims of another process are worth nothing here.
INSERT INTO main.candidate (id, project, oid, committed_at, state, reason,
	detail, module, licence, licence_file, licence_texts, is_merge)
SELECT w.id, w.project, w.oid, w.committed_at,
	CASE WHEN c.state IN (1, 2) THEN 0 WHEN c.state = 5 THEN 4
		ELSE c.state END,
	r.id, c.detail, c.module, c.licence, c.licence_file, c.licence_texts,
	c.is_merge
FROM temp.taken t JOIN other.candidate c ON c.id = t.other
	JOIN main.walked w ON w.id = t.id
	LEFT JOIN other.reason o ON o.id = c.reason
	LEFT JOIN main.reason r ON r.name = o.name
WHERE true ORDER BY w.id ON CONFLICT (id) DO UPDATE SET
	state = excluded.state, reason = excluded.reason,
	detail = excluded.detail, module = excluded.module;
-- :records
INSERT INTO main.record (candidate, project, oid, committed_at, id,
	fingerprint, granularity, change_kind, body, evidence)
SELECT w.id, w.project, w.oid, w.committed_at, r.id, r.fingerprint,
	r.granularity, r.change_kind, r.body, r.evidence
FROM temp.taken t JOIN other.record r ON r.candidate = t.other
	JOIN main.walked w ON w.id = t.id
ORDER BY w.id;
-- :runs
INSERT INTO main.runs (candidate, body)
SELECT t.id, r.body
FROM temp.taken t JOIN other.runs r ON r.candidate = t.other
WHERE true ORDER BY t.id
ON CONFLICT (candidate) DO UPDATE SET body = excluded.body;
-- :texts
INSERT INTO main.text (sha256, body) SELECT sha256, body FROM other.text
WHERE true ON CONFLICT (sha256) DO NOTHING;
-- :tip_blobs
INSERT INTO main.tip_blob (project, oid)
SELECT p.id, t.oid FROM other.tip_blob t
	JOIN other.project o ON o.id = t.project
	JOIN main.project p ON p.name = o.name
WHERE true ON CONFLICT (project, oid) DO NOTHING;
-- :tip_texts
INSERT INTO main.tip_text (hash, project)
SELECT t.hash, p.id FROM other.tip_text t
	JOIN other.project o ON o.id = t.project
	JOIN main.project p ON p.name = o.name
WHERE true ON CONFLICT (hash, project) DO NOTHING;
-- :published
INSERT INTO main.published (id, withheld)
SELECT id, withheld FROM other.published
WHERE true ON CONFLICT (id, withheld) DO NOTHING;
-- :instances
INSERT INTO main.instance (system, name, project, oid, problem, base, tests)
SELECT system, name, project, oid, problem, base, tests FROM other.instance
WHERE true ON CONFLICT (system, name) DO UPDATE SET oid = excluded.oid,
	problem = excluded.problem, base = excluded.base
WHERE instance.oid IS NULL;
