-- The conversation: the tree of a transcript's entries, and turns.
ALTER TABLE transcripts ADD COLUMN append_entry_id TEXT /* entry id that the next entry names as its parent, if it simply goes on */;
ALTER TABLE transcripts ADD COLUMN is_tree_due INTEGER NOT NULL DEFAULT 0 /* 1 = active path and turns are to be worked out anew */;
ALTER TABLE transcripts ADD COLUMN tip_turn_id INTEGER REFERENCES turns(id) DEFERRABLE INITIALLY DEFERRED /* the turn at the tip of the active path */;
CREATE INDEX transcripts_by_tip_turn ON transcripts(tip_turn_id);
CREATE INDEX messages_by_turn ON messages(turn_id);
CREATE INDEX turns_by_parent ON turns(parent_turn_id);
