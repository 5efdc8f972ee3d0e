"""What a stand-in daemon answers to every command."""

from collections.abc import Callable
from typing import Any

SOURCE = {
    "resource_id": "t-1",
    "key": "k1",
    "session_id": "s1",
    "timestamp": 1_780_000_000,
    "role": "user",
    "tz": "Asia/Shanghai",
}
ITEM = {
    "id": "m-1",
    "user_id": "default",
    "kind": "semantic",
    "memory_type": "preference",
    "memory": "Prefers tea \x1b[31mover coffee\x1b[0m [bold]喝茶[/bold]",
    "importance": 0.8,
    "half_life_days": 180,
    "created_at": 1_780_000_000,
    "updated_at": 1_780_000_000,
    "stated_at": 1_780_000_000,
    "reinforced": 0,
    "valid_from": None,
    "valid_until": None,
    "superseded_by": None,
    "pinned": True,
    "private": True,
    "categories": ["drinks"],
    "sources": [SOURCE],
}
SHOWN = "Prefers tea over coffee [bold]喝茶[/bold]"
RESULT = {
    **{name: ITEM[name] for name in ("id", "memory", "kind", "memory_type", "importance", "created_at")},
    "layer": "item",
    "score": 0.91,
    "relevance": 0.93,
    "retention": 1.0,
    "age_days": 0.0,
    "valid_until": None,
    "categories": [],
    "source": SOURCE,
    "sources": [SOURCE],
    "date": "2026-05-29",
    "age": "6 days ago",
}
TURN = {
    "id": "t-1",
    "key": "k1",
    "user_id": "default",
    "session_id": "s1",
    "role": "user",
    "text": "I prefer tea",
    "content": "I prefer tea",
    "timestamp": 1_780_000_000,
    "tz": "UTC",
    "private": True,
}
PREDICTION = {
    "id": "p-1",
    "detector": "commitment",
    "topic": "call",
    "text": "Call the dentist",
    "why": "You asked to be reminded",
    "probability": 0.8,
    "evidence": [{"resource_id": "t-1", "item_id": None, "key": "k1"}],
    "due_at": 1_780_100_000,
    "expires_at": 1_780_200_000,
    "state": "open",
}
ENTRY = {
    "id": "q-1",
    "resource_id": "t-1",
    "key": "k1",
    "user_id": "default",
    "session_id": "s1",
    "state": "dead",
    "attempts": 5,
    "due_at": 1_780_000_000,
    "reason": "extractor failed",
}
RECALLED = {
    "results": [RESULT],
    "fallback": [],
    "proactive": [PREDICTION],
    "near_misses": [],
    "context": "<memories>\n1. tea\n</memories>",
    "tokens": 9,
    "threshold": 0.75,
    "degraded": ["index warming"],
}
NEAR_MISS = {
    "id": "m-2",
    "memory": "Likes jazz",
    "layer": "item",
    "score": 0.6,
    "relevance": 0.6,
    "reason": "below",
}
SILENT = {
    **RECALLED,
    "results": [],
    "proactive": [],
    "context": "",
    "degraded": [],
    "near_misses": [NEAR_MISS],
}
CAPTURED = {
    "accepted": 1,
    "duplicates": 0,
    "skipped": [],
    "ids": ["t-1"],
    "compaction": {"due": False, "ratio": None},
}
HEALTH = {
    "status": "degraded",
    "reasons": ["the embedder can't load"],
    "version": "0.1.0",
    "uptime_s": 7_300,
    "queue": {"queued": 3, "leased": 1, "dead": 2, "oldest_age_s": 70},
    "embedder": {"name": "none", "dim": 0, "mode": "off", "pending": 4},
    "extractor": {"name": "rules", "mode": "ok", "breaker": "closed"},
    "index": {"backend": "exact", "size": 12},
    "db": {"bytes": 3_000_000, "wal_bytes": 4_096},
    "jobs": {"monitor": {"last_ok": None, "next_run": 1_780_000_300, "last_error": "disk"}},
    "budget": {"day": "2026-05-28", "used": 0, "limit": None},
}
TOKENS = {
    "recalls": 40,
    "injected": 6_000,
    "full_history": 400_000,
    "spent": 20_000,
    "local": 3_000,
    "cost_usd": 0.07,
    "share": 0.0724,
    "unpriced": ["home-grown"],
    "days": [
        {
            "day": "2026-05-28",
            "purpose": "extract",
            "model": "home-grown",
            "input_tokens": 18_000,
            "output_tokens": 2_000,
            "calls": 12,
            "cost_usd": 0.0,
            "unpriced_tokens": 20_000,
            "local": False,
        }
    ],
}
STATS = {
    "items": 12,
    "resources": 34,
    "superseded": 2,
    "pinned": 1,
    "archived": 0,
    "proactive": 1,
    "notes": ["try faiss"],
    "tokens": TOKENS,
}
CATEGORY = {
    "name": "drinks [b]hot[/b]",
    "summary": f"2026-05-28 {ITEM['memory']} [m-1]",
    "items": 1,
    "sentences": [{"text": ITEM["memory"], "item_ids": ["m-1"], "date": "2026-05-28"}],
    "updated_at": 1_780_000_000,
}
SCORES = {
    "states": {"open": 1, "used": 3, "dismissed": 2, "miss": 0},
    "detectors": [
        {
            "detector": "habit",
            "right": 3,
            "wrong": 2,
            "prompted": 1,
            "dismissed": 2,
            "precision": 0.6,
            "posterior": 0.48,
            "throttled_by": "precision",
            "retry_at": 1_780_000_000,
        }
    ],
    "days": [
        {"day": "2026-05-27", "detector": "habit", "right": 3, "wrong": 0, "precision": 1.0},
        {"day": "2026-05-28", "detector": "habit", "right": 0, "wrong": 2, "precision": 0.0},
    ],
    "reliability": [{"low": 0.7, "high": 0.8, "n": 5, "predicted": 0.75, "observed": 0.6}],
    "brier": 0.255,
    "topics": [{"topic": "tea", "text": SHOWN, "dismissed": 2, "left": 0.25}],
}
PURGED = {"item": ITEM, "item_ids": ["m-1"], "resource_ids": ["t-1"], "dry_run": False}
EXPORTED: dict[str, Any] = {
    "records": [
        {"type": "category", "name": "drinks", "made_by": "person", "everyday": None},
        {"type": "turn", "id": "t-1", "key": "k1"},
        {
            "type": "item",
            "id": "m-1",
            "memory": "prefers tea",
            "memory_type": "preference",
            "agent_id": None,
            "session_id": "s1",
            "categories": ["drinks"],
            "created_at": 1_780_000_000,
            "stated_at": 1_780_000_000,
            "valid_until": None,
            "superseded_by": None,
            "pinned": True,
        },
    ],
    "cursor": None,
}
ANSWERS: dict[str, Any] = {
    "capture": CAPTURED,
    "recall": RECALLED,
    "search": {"results": [RESULT], "degraded": [], "partial": False},
    "add": {"item": ITEM, "action": "superseded", "related_ids": ["m-0"]},
    "list": {"results": [ITEM], "cursor": None},
    "get": {"item": ITEM},
    "history": {"versions": [ITEM], "sources": [SOURCE]},
    "update": {"item": ITEM},
    "forget": lambda params: {**PURGED, "dry_run": params.get("dry_run", False)},
    "restore": {"item": ITEM},
    "pin": {"item": ITEM},
    "explain": {
        "id": "m-1",
        "recalled": False,
        "reason": "too old",
        "score": 0.4,
        "threshold": 0.75,
        "factors": {"coverage": 0.5},
    },
    "proactive.list": {"results": [PREDICTION]},
    "proactive.next": {"results": [PREDICTION]},
    "proactive.resolve": lambda params: {"item": {**PREDICTION, "state": params["outcome"]}},
    "proactive.stats": SCORES,
    "categories.list": {"results": [CATEGORY]},
    "resources.get": TURN,
    "stats": STATS,
    "health": HEALTH,
    "notes.list": {"results": [{"path": "/w/MEMORY.md", "read_at": 1_780_000_000, "trouble": "gone"}]},
    "notes.forget": {"path": "/w/MEMORY.md"},
    "queue.list": {"results": [ENTRY], "cursor": None},
    "queue.retry": {"ids": ["q-1"]},
    "queue.drop": {"ids": ["q-1"]},
    "job.run": {"job": "cleanup", "counts": {"faded": 2}, "notes": ["done"], "dry_run": False},
}

Memud = Callable[..., tuple[int, str, str]]
"""Runs a command line: exit code, standard output, standard error."""

LINES: dict[str, tuple[list[str], str]] = {
    "status": ([], "facts: 12, turns: 34"),
    "stats": ([], "all of it together is 7.2% of the full history"),
    "send": (["hello"], "Accepted: t-1"),
    "recall": (["tea?"], SHOWN),
    "search": (["tea"], SHOWN),
    "add": (["likes tea"], "replaces m-0"),
    "get": (["m-1"], SHOWN),
    "list": ([], "pinned"),
    "categories": (["drinks"], f"{SHOWN}  [m-1]"),
    "update": (["m-1", "--memory", "x"], "Updated: m-1"),
    "forget": (["m-1", "--yes"], "Facts: 1, turns: 1"),
    "restore": (["m-1"], "Restored: m-1"),
    "pin": (["m-1"], "Pinned: m-1"),
    "history": (["m-1"], "t-1"),
    "explain": (["tea?", "m-1"], "Not recalled: too old"),
    "notes": ([], "gone; its facts stay"),
    "proactive": ([], "You asked to be reminded"),
    "queue": ([], "extractor failed"),
    "job": ([], "monitor: next"),
}
