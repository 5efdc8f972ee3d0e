"""OpenClaw's conversations: transcripts as files and as rows of the agent's database."""
