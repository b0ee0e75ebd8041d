"""Files of documents: sent once, read by the API, and unchanged files are not sent."""

from __future__ import annotations

import os
import re
import tempfile
import time
from typing import Any

from scenario import Context, at_once, equal, ok, rejection, scenario

PRICES = {"external_id": "prices.csv", "title": "prices", "file": b"product,price\nshoe,3"}
BROKEN = {"external_id": "broken.pdf", "title": "broken", "file": b"%PDF-1.4 broken"}
TEXT = {"external_id": "a.md", "title": "a", "content": "a"}


def large_file(folder: str) -> dict[str, Any]:
    path = os.path.join(folder, "large.pdf")
    with open(path, "wb") as file:
        file.truncate(25 * 1024 * 1024 + 1)
    return {"external_id": "large.pdf", "title": "large", "file": path}


@scenario("sync uploads files, waits for their texts, and sends an unchanged file no second time")
def sync_files(context: Context) -> None:
    project_id, _ = context.new_project()
    sent: list[str] = []
    changed: list[str] = []
    platform = context.open(
        api_key=context.api_key,
        base_url=context.base_url,
        on_request=lambda event: event.method != "GET" and sent.append(event.method),
    )
    knowledge = platform.projects(project_id).knowledge

    def noted(event: Any) -> None:
        changed.append(" ".join([event.external_id, event.outcome, *event.fields]))

    def sync(documents: list[Any], files: int) -> list[Any]:
        work = [lambda: knowledge.sync(documents, source="s", on_progress=noted)]
        if files > 0:
            work.append(lambda: context.control("extract", project=project_id, count=files))
        result = at_once(work)[0]
        failures = [f"{one.external_id} {one.error}" for one in result.failed]
        return [result.created, result.updated, result.unchanged, *failures]

    def stored() -> Any:
        return next(one for one in knowledge.documents.list(source="s") if one.external_id == "prices.csv")

    def take() -> list[str]:
        taken = sorted(sent)
        sent.clear()
        return taken

    with tempfile.TemporaryDirectory() as folder:
        first = sync([{**PRICES, "tags": ["shop"]}, TEXT, BROKEN, large_file(folder)], 2)
    equal(first[:3], [2, 0, 0])
    failures = sorted(first[3:])
    equal(len(failures), 2)
    ok(re.match(r"broken\.pdf .*\(unreadable_file\)$", failures[0]), failures[0])
    equal(failures[1], "large.pdf The file has 25.0 MB, and a file has at most 25 MB. (file_too_large)")
    equal(take(), ["POST", "POST", "PUT", "PUT", "PUT"])
    equal([stored().extraction, stored().tags], ["done", ["shop"]])

    equal(sync([PRICES, TEXT, {**BROKEN, "title": "new"}], 0), [0, 0, 2, failures[0]])
    equal(take(), [])
    equal(sync([{**PRICES, "title": "new"}, TEXT], 0), [0, 1, 1])
    equal(take(), ["PATCH"])
    changed.clear()
    equal(sync([{**PRICES, "title": "new", "file": b"product,price\nshoe,4"}], 1), [0, 1, 0])
    equal(changed, ["prices.csv updated content"])
    equal(take(), ["POST", "PUT"])
    now = stored()
    equal([now.title, now.tags], ["new", ["shop"]])
    equal(knowledge.documents.content(now.id).content, "product,price\nshoe,4")


@scenario("sync says what the API has not read, and with reread sends files that earlier readers have read, once")
def sync_again(context: Context) -> None:
    project_id, _ = context.new_project()
    sent: list[str] = []
    platform = context.open(
        api_key=context.api_key,
        base_url=context.base_url,
        on_request=lambda event: event.method != "GET" and sent.append(event.method),
    )
    knowledge = platform.projects(project_id).knowledge

    def sync(documents: list[Any], files: int = 0, **options: Any) -> list[Any]:
        work = [lambda: knowledge.sync(documents, source="s", **options)]
        if files > 0:
            work.append(lambda: context.control("extract", project=project_id, count=files))
        result = at_once(work)[0]
        notes = [[one.external_id, one.title, one.notes[0].code, one.notes[0].pages] for one in result.notes]
        return [result.updated, result.unchanged, notes]

    def take() -> list[str]:
        taken = sorted(sent)
        sent.clear()
        return taken

    documents = [PRICES, TEXT]
    equal(sync(documents, 1), [0, 0, []])
    take()
    notes = [{"code": "pages_without_text", "count": 2, "pages": [3, 7]}]
    context.control("readBefore", project=project_id, notes=notes)
    equal(sync(documents), [0, 2, [["prices.csv", "prices", "pages_without_text", [3, 7]]]])
    equal(sync(documents, dry_run=True, reread=True), [1, 1, []])
    equal(take(), [])
    equal(sync(documents, 1, reread=True), [1, 1, []])
    equal(take(), ["POST", "PUT"])
    equal(sync(documents, reread=True), [0, 2, []])
    equal(take(), [])
    # Another type of the same file is another file.
    typed = {**PRICES, "mime_type": "text/csv; charset=utf-8"}
    equal(sync([typed, TEXT], 1), [1, 1, []])
    equal(sync([typed, TEXT]), [0, 2, []])
    take()
    # The type that is left out stays.
    equal(sync([{**PRICES, "title": "new"}, TEXT]), [1, 1, []])
    equal(take(), ["PATCH"])
    changed = {**PRICES, "file": b"a,b\n1,2"}
    equal(sync([changed, TEXT], 1), [1, 1, []])
    stored = next(iter(knowledge.documents.list(external_id="prices.csv")))
    equal(stored.file_mime_type, "text/csv; charset=utf-8")
    # Nobody needs the notes of an ignored document.
    context.control("readBefore", project=project_id, notes=notes)
    knowledge.documents.update(stored.id, ignored=True)
    equal(sync([changed, TEXT])[2], [])


@scenario("sync reports no failure of an ignored document")
def sync_ignored(context: Context) -> None:
    project_id, project = context.new_project()
    knowledge = project.knowledge

    def sync(documents: list[Any], files: int) -> list[int]:
        work = [lambda: knowledge.sync(documents, source="s")]
        if files > 0:
            work.append(lambda: context.control("extract", project=project_id, count=files))
        result = at_once(work)[0]
        return [result.updated, result.unchanged, len(result.failed)]

    equal(sync([BROKEN, TEXT], 1), [0, 0, 1])
    for document in knowledge.documents.list(external_id="broken.pdf"):
        knowledge.documents.update(document.id, ignored=True)
    equal(sync([BROKEN, TEXT], 0), [0, 2, 0])
    equal(sync([{**BROKEN, "file": b"%PDF-1.4 still broken"}, TEXT], 1), [1, 1, 0])
    with tempfile.TemporaryDirectory() as folder:
        # Too large to be sent.
        equal(sync([{**large_file(folder), "external_id": "broken.pdf"}, TEXT], 0), [0, 2, 0])
    ignored = list(knowledge.documents.list(source="s", ignored=True))
    equal([[one.external_id, one.status] for one in ignored], [["broken.pdf", "failed"]])


@scenario("uploadFile and waitForText send a file, and sync waits for a file that an ended run has sent")
def send_file(context: Context) -> None:
    project_id, project = context.new_project()
    knowledge = project.knowledge
    upload_id = knowledge.upload_file(PRICES["file"])
    sent = knowledge.documents.put("prices.csv", title="prices", source="s", upload_id=upload_id)
    equal(sent.document.extraction, "pending")
    late = rejection(lambda: knowledge.wait_for_text(sent.document, deadline=0.3))
    ok(isinstance(late, context.client.PlatformTimeoutError) and "was not read within 0.3 s" in str(late), late)
    seen: list[Any] = []
    synced, read, _ = at_once(
        [
            lambda: knowledge.sync([PRICES], source="s"),
            lambda: knowledge.wait_for_text(sent.document, on_progress=lambda one: seen.append(one.extraction)),
            lambda: context.control("extract", project=project_id, count=1),
        ]
    )
    equal([synced.unchanged, read.extraction, read.bytes, seen[0], seen[-1]], [1, "done", 20, "pending", "done"])
    with tempfile.TemporaryDirectory() as folder:
        path = large_file(folder)["file"]
        error = rejection(lambda: knowledge.upload_file(path))
    ok(isinstance(error, context.client.DocumentFileError), error)
    equal(error.code, "file_too_large")


@scenario("sync ends all that it has begun before it reports an error of the whole work")
def ends_all(context: Context) -> None:
    project_id, project = context.new_project()
    sent: list[str] = []
    platform = context.open(
        api_key=context.api_key,
        base_url=context.base_url,
        on_request=lambda event: event.method != "GET" and sent.append(event.method),
    )
    upload_id = project.knowledge.upload_file(PRICES["file"])
    project.knowledge.documents.put("prices.csv", title="prices", source="s", upload_id=upload_id)
    context.platform.projects.update(project_id, status="archived")
    begin = time.monotonic()
    # Nobody extracts the text of the file, so this waits.
    error = rejection(lambda: platform.projects(project_id).knowledge.sync([PRICES, TEXT], source="s"))
    ok(isinstance(error, context.client.ProjectArchivedError), error)
    # Its wait for the text would take ten minutes.
    ok(time.monotonic() - begin < 120, "the wait ends")
    equal(sent, ["PUT"])
