-- SPDX-License-Identifier: Apache-2.0
-- Version 3 of the workspace's database.

-- S9: instances of other systems' data sets that were imported, and the
-- commit that each was found to be.
CREATE TABLE instance (
	system TEXT NOT NULL,          -- "swebench", "bugsinpy"
	name TEXT NOT NULL,            -- the other system's id
	project TEXT NOT NULL,         -- the name that a project has here
	oid BLOB,                      -- NULL: no commit, for this problem:
	problem TEXT,
	base BLOB,                     -- the commit that it calls buggy
	tests TEXT NOT NULL,           -- JSON: the tests that it names
	PRIMARY KEY (system, name)
) STRICT, WITHOUT ROWID;
