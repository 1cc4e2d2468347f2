"""The guard for programs: a question over HTTP, and the same for agents (docs/service.md)."""
