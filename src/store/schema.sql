-- SPDX-License-Identifier: Apache-2.0
-- Version 1 of the workspace's database: docs/state.md says what every table
-- is for; the S-numbers are its invariants. Object ids and hashes are bytes.

CREATE TABLE project (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	repo_url TEXT NOT NULL,
	source TEXT NOT NULL,
	mirror TEXT NOT NULL,
	excluded_reason TEXT,
	excluded_at TEXT,              -- NULL: in
	mined_tips TEXT NOT NULL DEFAULT '[]', -- JSON: whose history is in walked
	roots TEXT NOT NULL DEFAULT '[]'       -- JSON
) STRICT;

-- Reasons are few and repeat a million times.
CREATE TABLE reason (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE
) STRICT;

-- S1: one row for each commit of a project, never changed, never removed.
CREATE TABLE walked (
	id INTEGER PRIMARY KEY,
	project INTEGER NOT NULL REFERENCES project,
	oid BLOB NOT NULL,
	parent BLOB,                   -- the first; NULL: a root
	n_parents INTEGER NOT NULL,
	committed_at INTEGER,          -- NULL: unreadable (W6)
	reason INTEGER REFERENCES reason, -- NULL: a candidate (S2)
	detail TEXT
) STRICT;
-- oid first: `explain` looks for the beginning of an id in all projects.
CREATE UNIQUE INDEX walked_oid ON walked (oid, project);
CREATE INDEX walked_reason ON walked (project, reason);

-- S2: has a row exactly where walked.reason is NULL; S3: in one state.
CREATE TABLE candidate (
	id INTEGER PRIMARY KEY REFERENCES walked,
	project INTEGER NOT NULL REFERENCES project,
	oid BLOB NOT NULL,
	committed_at INTEGER NOT NULL,
	-- 0 pending, 1 claimed, 2 set aside, 3 refused, 4 unsatisfied,
	-- 5 unsatisfied by this process, 6 record
	state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 6),
	reason INTEGER REFERENCES reason,
	detail TEXT,
	module TEXT,                   -- that was missing
	licence TEXT,
	licence_file TEXT,
	licence_texts TEXT             -- JSON: path to SHA-256
) STRICT;
CREATE INDEX candidate_work ON candidate (state, project, committed_at, oid);
CREATE INDEX candidate_date ON candidate (project, committed_at, oid);

-- S4: has a row exactly where candidate.state is 6.
CREATE TABLE record (
	candidate INTEGER PRIMARY KEY REFERENCES candidate,
	project INTEGER NOT NULL REFERENCES project,
	oid BLOB NOT NULL,
	committed_at INTEGER NOT NULL,
	id TEXT NOT NULL UNIQUE,
	fingerprint BLOB NOT NULL,
	granularity TEXT NOT NULL,
	change_kind TEXT NOT NULL,
	body BLOB NOT NULL,            -- zstd of JSON, the columns
	evidence BLOB NOT NULL         -- zstd of JSON
) STRICT;
CREATE INDEX record_fingerprint ON record (fingerprint, committed_at);

-- Whatever the last verdict on a candidate had seen.
CREATE TABLE runs (
	candidate INTEGER PRIMARY KEY REFERENCES candidate,
	body BLOB NOT NULL             -- zstd of JSON
) STRICT;

-- Licence texts (L4).
CREATE TABLE text (
	sha256 BLOB PRIMARY KEY,
	body BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- I4: blobs at walked tips that have been read, and the texts in them (the
-- first 16 bytes of their SHA-256: half the size, and still no chance hits).
CREATE TABLE tip_blob (
	project INTEGER NOT NULL REFERENCES project,
	oid BLOB NOT NULL,
	PRIMARY KEY (project, oid)
) STRICT, WITHOUT ROWID;
CREATE TABLE tip_text (
	hash BLOB NOT NULL,
	project INTEGER NOT NULL REFERENCES project,
	PRIMARY KEY (hash, project)
) STRICT, WITHOUT ROWID;

-- P5: what a release may hold at all.
CREATE VIEW live AS
SELECT r.candidate, r.project, r.id, r.fingerprint, r.granularity,
	r.change_kind, r.committed_at, p.name AS repo, r.oid
FROM record r JOIN project p ON p.id = r.project
WHERE p.excluded_at IS NULL;

-- I4: of equal records the oldest stands, ties by repo, then commit.
CREATE VIEW standing AS
SELECT * FROM live a
WHERE NOT EXISTS (
	SELECT 1 FROM live b
	WHERE b.fingerprint = a.fingerprint
		AND (b.committed_at, b.repo, b.oid)
			< (a.committed_at, a.repo, a.oid));
