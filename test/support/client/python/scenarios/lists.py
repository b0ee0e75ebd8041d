"""Lists: pages and iterators."""

from __future__ import annotations

from scenario import Context, equal, ok, scenario


@scenario("a list is a page, and an iterator over all items and all pages")
def pages(context: Context) -> None:
    _, project = context.new_project()
    documents = project.knowledge.documents
    ids = [documents.create(title=str(count), content="a").id for count in range(7)][::-1]

    page = documents.list(limit=3).page()
    equal([one.id for one in page.items], ids[:3])
    ok(page.has_next_page() and page.next_cursor, "there is a next page")
    following = page.next_page()
    equal([one.id for one in following.items], ids[3:6])
    equal([one.id for one in documents.list(limit=3)], ids)
    equal([one.id for one in page], ids)
    equal([len(one.items) for one in documents.list(limit=3).pages()], [3, 3, 1])
    equal(following.next_page().next_page(), None)

    equal([one.id for one in documents.list(limit=3, cursor=page.next_cursor)], ids[3:])
    raw = documents.with_raw_response.list(limit=3)
    equal([len(raw.parse().items), isinstance(raw.request_id, str)], [3, True])


@scenario("an iterator yields each item once while items are added, and with faults")
def adding(context: Context) -> None:
    _, project = context.new_project()
    documents = project.knowledge.documents
    before = [documents.create(title="before", content="a").id for _ in range(12)][::-1]
    context.control("faults", rate=0.5, seed=3)
    seen: list[str] = []
    for one in documents.list(limit=2):
        seen.append(one.id)
        if len(seen) % 4 == 0:
            documents.create(title="meanwhile", content="a")
    context.control("faults")
    equal(seen, before)
    equal(len(list(documents.list(limit=100))), 15)


@scenario("any path can be requested and paginated")
def any_path(context: Context) -> None:
    platform = context.platform
    project_id, _ = context.new_project()
    equal(platform.request("get", f"/projects/{project_id}").id, project_id)
    found = [one.id for one in platform.paginate("/projects", query={"limit": 2})]
    ok(project_id in found, "the project is in the list")
    equal(len(set(found)), len(found))
