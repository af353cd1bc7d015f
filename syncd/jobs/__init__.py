"""Jobs: what keeps a ledger well while nobody looks. One file each; `schedule` says when."""
