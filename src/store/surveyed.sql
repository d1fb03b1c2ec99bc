-- SPDX-License-Identifier: Apache-2.0
-- Version 5 of the workspace's database.

-- I4: tips whose files stand in tip_blob and tip_text. Equal to mined_tips,
-- nothing is to be read, and no mirror need be there.
ALTER TABLE project ADD COLUMN surveyed_tips TEXT NOT NULL DEFAULT '[]';
-- A list of ten thousand repositories is looked up by where each came from.
CREATE INDEX project_source ON project (source);
