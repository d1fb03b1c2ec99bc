-- SPDX-License-Identifier: Apache-2.0
-- Version 4 of the workspace's database.

-- W2: how a project was walked last. Without first_parent its merges are
-- refused, also those that an earlier walk admitted: they stay, unseen, for
-- the next walk that wants them.
ALTER TABLE project ADD COLUMN first_parent INTEGER NOT NULL DEFAULT 0
	CHECK (first_parent IN (0, 1));
ALTER TABLE candidate ADD COLUMN is_merge INTEGER NOT NULL DEFAULT 0
	CHECK (is_merge IN (0, 1));
UPDATE candidate SET is_merge = 1
WHERE id IN (SELECT id FROM walked WHERE n_parents > 1);
-- What was admitted before stays so until the next walk.
UPDATE project SET first_parent = 1
WHERE id IN (SELECT project FROM candidate WHERE is_merge = 1);

DROP VIEW standing;
DROP VIEW live;

-- P5: what a release may hold at all.
CREATE VIEW live AS
SELECT r.candidate, r.project, r.id, r.fingerprint, r.granularity,
	r.change_kind, r.committed_at, p.name AS repo, r.oid
FROM record r JOIN project p ON p.id = r.project
	JOIN candidate c ON c.id = r.candidate
WHERE p.excluded_at IS NULL AND c.is_merge <= p.first_parent;

-- I4: of equal records the oldest stands, ties by repo, then commit.
CREATE VIEW standing AS
SELECT * FROM live a
WHERE NOT EXISTS (
	SELECT 1 FROM live b
	WHERE b.fingerprint = a.fingerprint
		AND (b.committed_at, b.repo, b.oid)
			< (a.committed_at, a.repo, a.oid));
