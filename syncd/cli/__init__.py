"""The command line: a file per verb, output for people or as JSON, errors as exit codes."""
