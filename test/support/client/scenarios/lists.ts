/** Lists: pages and iterators. */

import { collect, equal, ok, type Scenarios } from '../scenario.ts';

export const lists: Scenarios = {
  'a list is a page, and an iterator over all items and all pages': async ({ newProject }) => {
    const { project } = await newProject();
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1)
      ids.unshift((await project.knowledge.documents.create({ title: `${count}`, content: 'a' })).id);
    const list = () => project.knowledge.documents.list({ limit: 3 });

    const page = await list();
    equal(
      page.items.map(({ id }) => id),
      ids.slice(0, 3),
    );
    ok(page.hasNextPage() && page.nextCursor, 'there is a next page');
    const next = await page.nextPage();
    equal(
      next?.items.map(({ id }) => id),
      ids.slice(3, 6),
    );
    equal(
      (await collect(list())).map(({ id }) => id),
      ids,
    );
    equal(
      (await collect(await list())).map(({ id }) => id),
      ids,
    );
    equal(
      (await collect(list().pages())).map(({ items }) => items.length),
      [3, 3, 1],
    );
    equal(await (await next?.nextPage())?.nextPage(), undefined);

    const rest = project.knowledge.documents.list({ limit: 3, cursor: page.nextCursor });
    equal(
      (await collect(rest)).map(({ id }) => id),
      ids.slice(3),
    );
    const { data, requestId } = await list().withResponse();
    equal([data.items.length, typeof requestId], [3, 'string']);
  },

  'an iterator yields each item once while items are added, and with faults': async ({
    newProject,
    control,
  }) => {
    const { project } = await newProject();
    const create = (title: string) => project.knowledge.documents.create({ title, content: 'a' });
    const before: string[] = [];
    for (let count = 0; count < 12; count += 1) before.unshift((await create('before')).id);
    await control('faults', { rate: 0.5, seed: 3 });
    const seen: string[] = [];
    for await (const { id } of project.knowledge.documents.list({ limit: 2 })) {
      seen.push(id);
      if (seen.length % 4 === 0) await create('meanwhile');
    }
    await control('faults');
    equal(seen, before);
    equal((await collect(project.knowledge.documents.list({ limit: 100 }))).length, 15);
  },

  'any path can be requested and paginated': async ({ platform, newProject }) => {
    const { id } = await newProject();
    const one = await platform.request<{ id: string }>('get', `/projects/${id}`);
    equal(one.id, id);
    const found = (await collect(platform.paginate<{ id: string }>('/projects', { limit: 2 }))).map(
      (item) => item.id,
    );
    ok(found.includes(id), 'the project is in the list');
    equal(new Set(found).size, found.length);
  },
};
