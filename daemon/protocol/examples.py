"""One call of each method, as the reference shows it; the contract tests decode them all."""

from typing import Any

_TURN = {"key": "tg:5521", "role": "user", "content": "I prefer tea over coffee.", "timestamp": 1780000000}

EXAMPLES: dict[str, dict[str, Any]] = {
    "hello": {"protocol": "1", "client": "my-agent/2.1", "user_id": "ann"},
    "capture": {
        "session_id": "s1",
        "events": [_TURN, {"key": "tg:5522", "role": "user", "content": "明天下午三点提醒我开会"}],
        "context": {"tokens_used": 150_000, "context_window": 200_000},
    },
    "recall": {"session_id": "s1", "query": "What should I offer the user to drink?", "deadline_ms": 250},
    "search": {"query": "tea", "limit": 5, "since": 1770000000},
    "recall.log": {"limit": 20, "since": 1780000000},
    "add": {"memory": "Ann is allergic to peanuts.", "memory_type": "correction"},
    "list": {"memory_types": ["preference"], "limit": 20},
    "get": {"id": "m-k3v9q2xw7d"},
    "history": {"id": "m-k3v9q2xw7d"},
    "update": {"id": "m-k3v9q2xw7d", "memory": "Ann prefers green tea.", "valid_until": None},
    "forget": {"id": "m-k3v9q2xw7d", "dry_run": True},
    "restore": {"id": "m-k3v9q2xw7d"},
    "pin": {"id": "m-k3v9q2xw7d"},
    "explain": {"query": "What should I offer the user to drink?", "id": "m-k3v9q2xw7d"},
    "proactive.list": {"state": "open"},
    "proactive.next": {"limit": 1},
    "proactive.resolve": {"id": "p-8d2m", "outcome": "snoozed", "until": 1780086400},
    "proactive.stats": {"days": 7},
    "subscribe": {"topics": ["proactive", "compaction"], "cursor": 41},
    "session.compact": {"session_id": "s1", "reason": "threshold"},
    "session.resume": {"session_id": "s1"},
    "categories.list": {"private": False},
    "resources.get": {"id": "t-1c9z"},
    "stats": {},
    "health": {},
    "metrics": {},
    "agent.report": {"name": "openclaw", "version": "0.1.0", "turns": 12, "recalls": 12, "captures": 12},
    "notes.take": {
        "path": "/home/ann/.openclaw/workspace/MEMORY.md",
        "text": "## Home\n- NAS host: nas.example.lan\n- 早上九点前不接电话\n",
        "watch": True,
    },
    "notes.list": {},
    "notes.forget": {"path": "/home/ann/.openclaw/workspace/MEMORY.md"},
    "export": {"everything": True, "limit": 200},
    "import": {"records": [{"type": "category", "name": "Drinks", "made_by": "person", "everyday": None}]},
    "queue.list": {"state": "dead"},
    "queue.retry": {"state": "dead"},
    "queue.drop": {"id": "q-7f"},
    "job.run": {"name": "cleanup", "dry_run": True},
    "cancel": {"id": 7},
}
