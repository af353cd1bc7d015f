"""What `syncd doctor` looks at: a file for each thing, each a function from what is there to findings."""
