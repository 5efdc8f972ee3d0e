"""Small sets of our own in the forms of the public ones."""

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

LOCOMO = [
    {
        "qa": [
            {"question": "What did Nora plant in the garden?", "evidence": ["D1:1"], "category": 4},
            {"question": "Which instruments does Nora play?", "evidence": ["D1:3; D2:1"], "category": 1},
            {"question": "What did Otto plant in the garden?", "evidence": ["D1:1"], "category": 5},
            {"question": "What is the name of Nora's boat?", "evidence": ["D9:9", "D"], "category": 3},
        ],
        "conversation": {
            "speaker_a": "Nora",
            "speaker_b": "Otto",
            "session_2_date_time": "9:05 am on 2 July, 2023",
            "session_2": [
                {"speaker": "Nora", "dia_id": "D2:1", "text": "I also started to play the cello."},
            ],
            "session_1_date_time": "1:30 pm on 1 July, 2023",
            "session_1": [
                {"speaker": "Nora", "dia_id": "D1:1", "text": "I planted three plum trees in the garden."},
                {"speaker": "Otto", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a blue kite"},
                {"speaker": "Nora", "dia_id": "D1:3", "text": "Nice. I play the harp on Sundays."},
            ],
        },
    }
]

LIFEBENCH_TURNS = [
    {"id": "note:1", "t": "2025-03-02 21:00:00", "type": "note", "text": "[笔记] 下周要把阳台的旧水管换掉。"},
    {"id": "sms:1", "t": "2025-03-01 08:30:00", "type": "sms", "text": "[短信 接收 老周] 周日去水库钓鱼吧。"},
    {"id": "agent_chat:1", "t": "2025-03-02", "type": "agent_chat", "text": "我: 最近在学吹口琴。"},
]
LIFEBENCH_QUESTIONS = [
    {"question": "老周约我去哪里钓鱼？", "type": "Information Extraction", "evidence": ["sms:1", "photo:7"]},
    {"question": "我去过南极吗？", "type": "Unanswerable", "evidence": ["call:1"]},
]

BEAM_MESSAGES = [
    {"conv": "1", "id": 0, "role": "user", "t": "May-01-2024", "batch": 1, "text": "My loom has 24 shafts."},
    {"conv": "1", "id": 1, "role": "assistant", "t": None, "batch": 1, "text": "24 shafts are many."},
    {"conv": "1", "id": 2, "role": "user", "t": "May-09-2024", "batch": 2, "text": "It has 32 shafts now."},
    {"conv": "2", "id": 0, "role": "user", "t": "June-01-2024", "batch": 1, "text": "I never dyed wool."},
    {"conv": "2", "id": 2, "role": "user", "t": None, "batch": 1, "text": "I dyed wool with indigo today."},
]
BEAM_QUESTIONS = [
    {
        "qid": "1:u",
        "conv": "1",
        "type": "knowledge_update",
        "question": "Which shafts?",
        "evidence": [0, 1, 2],
    },
    {"qid": "1:a", "conv": "1", "type": "abstention", "question": "Who sold me the loom?", "evidence": []},
    {"qid": "1:s", "conv": "1", "type": "summarization", "question": "Sum it all up.", "evidence": [0, 2]},
    {"qid": "2:e", "conv": "2", "type": "information_extraction", "question": "Which dye?", "evidence": [2]},
]
BEAM_PAIRS = [
    {"qid": "1:u", "conv": "1", "kind": "knowledge_update", "question": "How many shafts has my loom?",
     "old_ids": [0], "new_ids": [2]},
    {"qid": "2:c", "conv": "2", "kind": "contradiction_resolution", "question": "Did I dye wool?",
     "old_ids": [2], "new_ids": [0]},
]  # fmt: skip

PROACTIVE_TURNS = [
    {"dom": "tea", "session": 1, "turn": 1, "role": "user", "ts": "2024-03-01T20:15:00", "units": ["time_01"],
     "text": "Each Friday evening I drink Dragon Well from the clay pot."},
    {"dom": "tea", "session": 1, "turn": 2, "role": "assistant", "ts": "2024-03-01T20:16:00", "units": [],
     "text": "Silver Needle would be nice, too."},
    {"dom": "chess", "session": 1, "turn": 1, "role": "user", "ts": "2024-03-02T10:00:00+08:00",
     "units": ["time_01"], "text": "On Friday evening the chess club meets at the Blue Door."},
]  # fmt: skip
PROACTIVE_TRIGGERS = [
    {"dom": "tea", "id": "q1", "trigger": "Friday evening at last, I put the kettle on.",
     "gold": ["dragon  well", "Silver Needle"], "source_pairs": ["time_01", "never_said"]},
    {"dom": "chess", "id": "q1", "trigger": "Where are my chess pieces?", "gold": ["Red Door"],
     "source_pairs": []},
]  # fmt: skip

STREAMS: list[dict[str, Any]] = [
    {"stream": 0, "recurring": ["water_plants"], "events": [
        {"text": "when do I water the ferns", "intent": "water_plants"},
        {"text": "play some jazz", "intent": "music"},
        {"text": "water the ferns when", "intent": "water_plants"},
        {"text": "how often should I water my ferns", "intent": "water_plants"},
    ]}
]  # fmt: skip

PERSON_EVENTS = [
    {"at": "2026-03-02T08:01:00", "tz": "Europe/Berlin", "text": "is the bakery open", "label": "bread"},
    {"at": "2026-03-03T08:04:00", "tz": "Europe/Berlin", "text": "fresh bread today?", "label": "bread"},
    {"at": "2026-03-03T20:30:00", "tz": "Europe/Berlin", "text": "when does the tram go", "label": "trams"},
    {"at": "2026-03-04T07:00:00", "tz": "Europe/Berlin", "text": "what do owls eat", "label": "other"},
    {"at": "2026-03-04T20:30:00", "tz": "Europe/Berlin", "text": "is line 4 late", "label": "trams"},
    {"at": "2026-03-05T08:02:00", "tz": "Europe/Berlin", "text": "has the baker rolls", "label": "bread"},
    {"at": "2026-03-08T20:30:00", "tz": "Europe/Berlin", "text": "last tram home?", "label": "trams"},
]  # fmt: skip
GUARD_EVENTS = [{"at": "2026-03-02T08:01:00", "tz": "Europe/Berlin", "text": "good morning"}]

PAIRS: dict[str, list[dict[str, Any]]] = {
    "stsb_en": [
        {"a": "A boy flies a kite.", "b": "A boy flies a KITE", "score": 5.0},
        {"a": "A boy flies a kite.", "b": "A boy is flying something.", "score": 4.2},
        {"a": "A boy flies a kite.", "b": "Two owls sit on a fence.", "score": 0.4},
    ],
    "stsb_zh": [{"a": "男孩在放风筝。", "b": "男孩在放风筝", "score": 4.8}],
    "snli": [
        {"a": "Owls sit on a fence.", "b": "No owl is here.", "label": "contradiction"},
        {"a": "Owls sit on a fence.", "b": "Birds sit.", "label": "entailment"},
    ],
    "ocnli": [{"a": "他上个月来过三次", "b": "他上个月没有来过", "label": "contradiction"}],
}


def write_all(data: Path) -> Path:
    """Every set, below `data`; gives the folder back."""
    write_lines(data / "lifebench_zh" / "lumingqiang_corpus.jsonl.gz", LIFEBENCH_TURNS)
    write_lines(data / "lifebench_zh" / "lumingqiang_qa.jsonl.gz", LIFEBENCH_QUESTIONS)
    write_lines(data / "beam" / "messages.jsonl.gz", BEAM_MESSAGES)
    write_lines(data / "beam" / "questions.jsonl.gz", BEAM_QUESTIONS)
    write_lines(data / "beam" / "update_contradiction_pairs.jsonl.gz", BEAM_PAIRS)
    write_lines(data / "proactivemembench" / "turns.jsonl.gz", PROACTIVE_TURNS)
    write_lines(data / "proactivemembench" / "questions.jsonl.gz", PROACTIVE_TRIGGERS)
    for name, rows in PAIRS.items():
        write_lines(data / "pairs" / f"{name}_dev.jsonl.gz", rows)
    write_lines(data / "intents" / "streams_en.jsonl.gz", STREAMS)
    _write(data / "locomo" / "locomo_1-5.json.gz", json.dumps(LOCOMO))
    return data


def write_lines(path: Path, rows: Iterable[Any]) -> None:
    """One JSON object a line."""
    _write(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as opened:
        opened.write(text)
