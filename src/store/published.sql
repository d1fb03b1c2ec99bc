-- SPDX-License-Identifier: Apache-2.0
-- Version 2 of the workspace's database.

-- P5: ids that a release held when it was put in place, by side (P4). Only
-- what was published is ever named in withdrawn.csv.
CREATE TABLE published (
	id TEXT NOT NULL,              -- of a record
	withheld INTEGER NOT NULL CHECK (withheld IN (0, 1)),
	PRIMARY KEY (id, withheld)
) STRICT, WITHOUT ROWID;
