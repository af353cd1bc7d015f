"""A soak: genuine OpenClaw and other writers, `syncd run` under a supervisor, and a random fault every while."""
