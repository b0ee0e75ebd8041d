/** The knowledge in the console: uploading, indexing, searching, and single documents. */

import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectResources } from '../../clients/typescript/src/index.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the knowledge in the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let folder: string;

  beforeAll(async () => {
    server = await openConsole();
    folder = mkdtempSync(join(tmpdir(), 'handbook-'));
    mkdirSync(join(folder, 'handbook/deep'), { recursive: true });
    const write = (name: string, content: string) => writeFileSync(join(folder, 'handbook', name), content);
    write('returns.md', '# Returns\n\nSend it back within 30 days.');
    write('deep/delivery.md', '# Delivery\n\nParcels take three days.');
    write('empty-page.html', '<p></p>');
    write('too-large.txt', '');
    truncateSync(join(folder, 'handbook/too-large.txt'), 26 * 1024 * 1024);
    write('picture.png', 'not a text');
    write('.hidden.md', '# Hidden');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server?.stop();
  });

  const newProject = async (name: string) => {
    const { id } = await server.platform.projects.create({ name });
    return { project: server.platform.projects(id), base: `/projects/${id}/knowledge` };
  };
  const titles = async (project: ProjectResources) =>
    (await project.knowledge.documents.list({ limit: 100 })).items.map(({ title }) => title).sort();
  const choose = (page: Page, label: string, files: string | string[]) =>
    page.locator(`input[type=file][aria-label="${label}"]`).setInputFiles(files);
  const manyFiles = (count: number): string[] => {
    const many = mkdtempSync(join(folder, 'many-'));
    return Array.from({ length: count }, (_, at) => {
      const path = join(many, `page-${at}.md`);
      writeFileSync(path, `# Page ${at}\n\nText ${at}.`);
      return path;
    });
  };
  const row = (page: Page, path: string) =>
    page.getByRole('list', { name: 'Files of the upload' }).locator('li', { hasText: path });

  test('a folder is uploaded file by file, indexed, and searched; again, nothing is sent', async () => {
    const { project, base } = await newProject('Upload');
    const { page, problems } = await server.open(base);
    await page.getByText('There is no document yet').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await choose(page, 'Choose a folder', join(folder, 'handbook'));
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Source').inputValue()).toBe('handbook');
    await dialog.getByText('2 files are left out').click();
    expect(await dialog.innerText()).toContain('has 26.0 MB');
    expect(await dialog.innerText()).not.toContain('.hidden');
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await row(page, 'returns.md').getByText('created').waitFor();
    await page.getByText('3 of 3 files').waitFor();
    // The re-index follows by itself, and the states of the documents change.
    await page.getByText(/^3 documents in .* pieces, published/).waitFor();
    await page.locator('.document-row', { hasText: 'Returns' }).getByText('indexed').waitFor();
    const bad = page.locator('.document-row', { hasText: 'empty-page' });
    await bad.getByText('The document contains no text.').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    const { items } = await project.knowledge.documents.list({ source: 'handbook' });
    expect(items.map(({ externalId }) => externalId).sort()).toEqual([
      'deep/delivery.md',
      'empty-page.html',
      'returns.md',
    ]);

    await page.getByRole('button', { name: 'Close' }).click();
    await choose(page, 'Choose a folder', join(folder, 'handbook'));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (['PUT', 'PATCH'].includes(request.method())) sent.push(request.url());
    });
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await row(page, 'returns.md').getByText('unchanged').waitFor();
    await page.getByText('3 of 3 files').waitFor();
    expect(sent).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('uploaded files get tags; without tags, documents keep theirs', async () => {
    const { project, base } = await newProject('Tags');
    const { page, problems } = await server.open(base);
    const files = manyFiles(2);
    const dialog = page.getByRole('dialog');
    const tagsOf = async () =>
      (await project.knowledge.documents.list({ limit: 100 })).items.map(({ tags }) => tags);
    await choose(page, 'Choose files', files);
    await dialog.getByLabel(/Re-index afterwards/).uncheck();
    await dialog.getByLabel('Tags').fill(`${'x'.repeat(41)}`);
    await dialog.getByRole('button', { name: 'Upload' }).click();
    expect(
      await dialog.getByLabel('Tags').evaluate((input: HTMLInputElement) => input.validationMessage),
    ).toContain('40');
    expect(await tagsOf()).toEqual([]);
    await dialog.getByLabel('Tags').fill('billing, orders ,billing,');
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('2 of 2 files').waitFor();
    expect(await tagsOf()).toEqual([
      ['billing', 'orders'],
      ['billing', 'orders'],
    ]);
    await page.getByRole('button', { name: 'Close' }).click();

    await choose(page, 'Choose files', files);
    expect(await dialog.getByLabel('Tags').inputValue()).toBe('');
    await dialog.getByLabel(/Re-index afterwards/).uncheck();
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await row(page, 'page-0.md').getByText('unchanged').waitFor();
    expect((await tagsOf())[0]).toEqual(['billing', 'orders']);
    expect(problems).toEqual([]);
  });

  test('an upload that loses the connection is resumed, and sends each file once', async () => {
    const { project, base } = await newProject('Resume');
    const { page } = await server.open(base);
    let passed = 0;
    await page.route(/by-external-id/, (route) => {
      passed += 1;
      return passed > 5 ? route.abort('internetdisconnected') : route.continue();
    });
    await choose(page, 'Choose files', manyFiles(20));
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('alert').getByText('No connection').waitFor();
    await page.getByText('Stopped uploading to').waitFor();
    expect((await titles(project)).length).toBeLessThan(20);
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.unroute(/by-external-id/);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('20 of 20 files').waitFor();
    expect(await titles(project)).toEqual(Array.from({ length: 20 }, (_, at) => `Page ${at}`).sort());
  });

  test('after a reload in the middle, the page says how to go on', async () => {
    const { base } = await newProject('Reload');
    const { page } = await server.open(base, null);
    await page.getByLabel('API key').fill(server.apiKey);
    await page.getByLabel(/Keep the key for this tab/).check();
    await page.keyboard.press('Enter');
    let passed = 0;
    await page.route(/by-external-id/, (route) => {
      passed += 1;
      // The others wait for ever.
      return passed > 4 ? undefined : route.continue();
    });
    const files = manyFiles(12);
    await choose(page, 'Choose files', files);
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
    await page.getByText('4 of 12 files').waitFor();
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    await page.getByText('was interrupted after 4 of 12 files').waitFor();
    expect(asked).toEqual(['beforeunload']);
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.unroute(/by-external-id/);
    await choose(page, 'Choose files', files);
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
    await page.getByText('12 of 12 files').waitFor();
    expect(await row(page, 'page-0.md').innerText()).toContain('unchanged');
    await page.reload();
    await page.getByText(/^12 documents in/).waitFor();
    expect(await page.getByText('was interrupted').count()).toBe(0);
  });

  test('a folder is dropped', async () => {
    const { project, base } = await newProject('Drop');
    const { page, problems } = await server.open(base);
    const zone = page.getByRole('region', { name: 'Upload' });
    const box = await zone.boundingBox();
    const devtools = await page.context().newCDPSession(page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', {
        type,
        x: (box?.x ?? 0) + 20,
        y: (box?.y ?? 0) + 20,
        data: { items: [], files: [join(folder, 'handbook')], dragOperationsMask: 1 },
      });
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Source').inputValue()).toBe('handbook');
    await dialog.getByLabel(/Re-index afterwards/).uncheck();
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('3 of 3 files').waitFor();
    await page.locator('.document-row', { hasText: 'Delivery' }).getByText('pending').waitFor();
    expect(await titles(project)).toEqual(['Delivery', 'Returns', 'empty-page']);
    expect(problems).toEqual([]);
  });

  test('a re-index is started by keyboard alone, and a reload follows it', async () => {
    const { project, base } = await newProject('Index');
    await project.knowledge.documents.create({ title: 'One', content: 'one' });
    const { page, problems } = await server.open(base);
    await page.getByText('Nothing is indexed yet').waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('re-index');
    await page.keyboard.press('Enter');
    await page.getByText(/^1 document in 1 piece, published/).waitFor();
    // The same job, while it still runs.
    const unfinished = { status: 'running', finishedAt: null, result: null };
    const progress = { total: 10, done: 4, failed: 0 };
    const isRunning = async (route: Route) => {
      const response = await route.fetch();
      const body = await response.json();
      const jobs = body.data.items ?? [body.data];
      for (const job of jobs) Object.assign(job, unfinished, { progress });
      await route.fulfill({ response, json: body });
    };
    const again = await server.open('/');
    await again.page.route(/\/jobs[/?]/, isRunning);
    await again.page.goto(`${server.baseUrl}/console#${base}`);
    await again.page.getByText('Indexing: 4 of 10 documents').waitFor();
    expect(await again.page.getByRole('button', { name: 'Re-indexing' }).isDisabled()).toBe(true);
    expect(await findingsEverywhere(again.page)).toEqual([]);
    await again.page.unrouteAll({ behavior: 'wait' });
    await again.page.getByText(/^1 document in 1 piece/).waitFor();
    expect([...problems, ...again.problems]).toEqual([]);
  });

  test('the page of a deployment leads to a search in its index', async () => {
    const { project, base } = await newProject('Frozen');
    const { id } = await project.knowledge.documents.create({ title: 'Drum', content: 'a drum' });
    await project.jobs.waitForSuccess(project.knowledge.reindex());
    const deployment = await project.deployments.create({ environment: 'production' });
    await project.knowledge.documents.delete(id);
    await project.jobs.waitForSuccess(project.knowledge.reindex());
    await project.deployments.create({ environment: 'production' });
    const { page, problems } = await server.open(
      `${base.replace(/knowledge$/, 'deployments')}/${deployment.id}`,
    );
    await page.getByRole('link', { name: 'Search in the knowledge of this deployment' }).click();
    await page.getByLabel('Question or words').fill('drum');
    await page.keyboard.press('Enter');
    const frozen = page.getByRole('region', { name: `Found in ${deployment.id}` });
    await frozen.getByText('1 piece ·').waitFor();
    await page.getByRole('region', { name: 'Found in production' }).getByText('Nothing is found.').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a search shows pieces, scores and headings, in two indexes side by side', async () => {
    const { project, base } = await newProject('Search');
    const add = (title: string, content: string) =>
      project.knowledge.documents.create({ title, content, mimeType: 'text/markdown' });
    const reindex = async () => project.jobs.waitForSuccess(project.knowledge.reindex());
    await project.avatars.create({ name: 'Mia', persona: { prompt: 'Help.' } });
    await add('Returns', '# Returns\n\n## Refunds\n\nA refund takes five days.');
    await reindex();
    await project.deployments.create({ environment: 'production' });
    await add('<b>Points</b>', '# Points\n\nA refund returns the points, <script>alert(1)</script> too.');
    await reindex();
    // On a busy machine, the first searches do not wait until the model is loaded.
    for (const environment of [undefined, 'production'])
      await expect
        .poll(async () => (await project.knowledge.search({ q: 'refund', environment })).mode, {
          timeout: 60_000,
        })
        .toBe('hybrid');
    const { page, problems } = await server.open(`${base}/search`);
    await page.getByLabel('Question or words').fill('refund');
    await page.keyboard.press('Enter');
    const left = page.getByRole('region', { name: 'Found in Published index' });
    const right = page.getByRole('region', { name: 'Found in production' });
    // The heading of "Returns" is a piece of its own, and is found by its meaning.
    await left.getByText('3 pieces').waitFor();
    await right.getByText('2 pieces').waitFor();
    const points = left.locator('li', { hasText: '<b>Points</b>' });
    expect(await points.innerText()).toContain('only here');
    expect(await right.innerText()).toContain('Returns › Refunds');
    expect(await points.locator('mark').allInnerTexts()).toEqual(['refund']);
    expect(await points.innerText()).toContain(
      '# Points\n\nA refund returns the points, <script>alert(1)</script> too.',
    );
    expect(await points.innerText()).toMatch(/Matches refund · words [\d.]+ · meaning [\d.]+/);
    expect(await left.innerText()).toContain('by words and meaning');
    expect(Number(await points.getByRole('meter').getAttribute('value'))).toBeGreaterThan(0);
    expect(await page.locator('main b').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    const again = await server.open(page.url().slice(page.url().indexOf('#') + 1));
    await again.page.getByRole('region', { name: 'Found in production' }).getByText('2 pieces').waitFor();
    await again.page.getByLabel('Second index').selectOption('none');
    expect(again.page.url()).toContain('right=none');
    await again.page.getByText('only here').waitFor({ state: 'detached' });
    await page.getByLabel('Search by').selectOption('lexical');
    await left.getByText('by words only').waitFor();
    expect(await left.innerText()).not.toContain('meaning');
    await page.getByLabel('Question or words').fill('money back');
    await page.keyboard.press('Enter');
    await left.getByText('Nothing is found.').waitFor();
    await page.getByLabel('Search by').selectOption('');
    await left.getByText('Matches by meaning').first().waitFor();
    await page.getByLabel('Tags').fill('prices, shop');
    await page.keyboard.press('Enter');
    await left.getByText('Nothing is found.').waitFor();
    await page.getByLabel('Tags').fill('');
    await page.keyboard.press('Enter');
    await left.getByText('Matches by meaning').first().waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await left.getByRole('link', { name: 'Returns' }).first().click();
    await left.waitFor({ state: 'detached' });
    await page.getByText('A refund takes five days.').waitFor();
    expect([...problems, ...again.problems]).toEqual([]);
  });

  test('a project names the metadata to filter by, and its documents are pending until the next re-index', async () => {
    const { project, base } = await newProject('Fields');
    await project.knowledge.documents.create({
      title: 'A',
      content: 'A price.',
      metadata: { country: 'DE' },
    });
    await project.knowledge.documents.create({
      title: 'B',
      content: 'A price.',
      metadata: { country: 'FR' },
    });
    await project.jobs.waitForSuccess(project.knowledge.reindex());
    const { page, problems } = await server.open(base);
    await page.getByText('Indexed').nth(1).waitFor();
    await page.getByRole('button', { name: 'Change the fields' }).click();
    await page.getByLabel('Fields').fill('country:DE');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must not contain a colon').first().waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByLabel('Fields').fill('country, product');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('country, product').waitFor();
    await page.getByLabel('Documents').getByText('Pending').nth(1).waitFor();
    const search = await server.open(`${base}/search?q=price&right=none&metadata=country:DE`);
    await search.page.getByText('Re-index the documents.').first().waitFor();
    await project.jobs.waitForSuccess(project.knowledge.reindex());
    await search.page.getByLabel('Metadata').fill('country:DE, product:x');
    await search.page.keyboard.press('Enter');
    await search.page.getByText('Nothing is found.').waitFor();
    await search.page.getByLabel('Metadata').fill('country:FR');
    await search.page.keyboard.press('Enter');
    await search.page.getByText('1 piece ·').waitFor();
    expect(await findingsEverywhere(search.page)).toEqual([]);
    expect([...problems, ...search.problems]).toEqual([]);
  });

  test('a project without an index says what to do', async () => {
    const { base } = await newProject('Bare');
    const { page, problems } = await server.open(`${base}/search?q=word`);
    await page.getByText('No index is published yet').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('an edit of what somebody else has changed is refused, and nothing that was typed is lost', async () => {
    const { project, base } = await newProject('Edit');
    const { id } = await project.knowledge.documents.create({ title: 'Old', content: 'x', tags: ['a'] });
    const { page } = await server.open(`${base}/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').fill('Mine');
    await project.knowledge.documents.update(id, { tags: ['theirs'] });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Somebody else changed the document').waitFor();
    await dialog.getByRole('button', { name: 'Load their version, and keep what I typed' }).click();
    await dialog.getByRole('row', { name: 'Tags' }).getByText('theirs').waitFor();
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Mine');
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByLabel('Tags').fill('theirs, mine');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor();
    expect(await project.knowledge.documents.get(id)).toMatchObject({
      title: 'Mine',
      tags: ['theirs', 'mine'],
    });
  });

  test('a document is deleted, and on request removed from every index', async () => {
    const { project, base } = await newProject('Delete');
    const first = await project.knowledge.documents.create({ title: 'First', content: 'secret word' });
    const second = await project.knowledge.documents.create({ title: 'Second', content: 'other word' });
    await project.jobs.waitForSuccess(project.knowledge.reindex());
    const { page, problems } = await server.open(`${base}/${first.id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel(/Also remove its text/).check();
    const confirm = page.getByRole('button', { name: 'Delete everywhere' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel(/^Type .* to confirm$/).fill(first.id.slice(-6));
    expect(await findingsEverywhere(page)).toEqual([]);
    await confirm.click();
    await page.getByText('The text is gone from all index versions.').waitFor();
    expect((await project.knowledge.search({ q: 'secret', mode: 'lexical' })).items).toEqual([]);
    // By meaning, the other document may be found.
    const near = await project.knowledge.search({ q: 'secret' });
    expect(near.items.map(({ documentId }) => documentId)).not.toContain(first.id);
    expect(await page.getByRole('link', { name: 'First' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Second' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There is no document yet').waitFor();
    await expect(project.knowledge.documents.get(second.id)).rejects.toMatchObject({ status: 404 });
    expect(problems).toEqual([]);
  });

  test('a document is ignored, found by the filter, and no longer ignored', async () => {
    const { project, base } = await newProject('Ignore');
    const { id } = await project.knowledge.documents.create({
      title: 'Scan',
      content: '<p></p>',
      mimeType: 'text/html',
    });
    await project.jobs.wait(await project.knowledge.reindex());
    const { page, problems } = await server.open(base);
    await page.getByRole('link', { name: 'Scan' }).click();
    await page.getByRole('button', { name: 'Ignore' }).click();
    await page.getByText('ignored', { exact: true }).waitFor();
    expect(await project.knowledge.documents.get(id)).toMatchObject({ ignored: true, status: 'failed' });
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByRole('link', { name: 'Knowledge' }).first().click();
    await page.getByLabel('Ignored').selectOption('false');
    await page.getByText('No document fits the filters').waitFor();
    await page.getByLabel('Ignored').selectOption('true');
    await page.getByRole('link', { name: 'Scan' }).click();
    await page.getByRole('button', { name: 'Stop ignoring' }).click();
    await page.getByText('pending', { exact: true }).waitFor();
    expect(await project.knowledge.documents.get(id)).toMatchObject({ ignored: false });
    expect(problems).toEqual([]);
  });

  test('a key that may only read sees no upload, no re-index and no change', async () => {
    const { project, base } = await newProject('Read');
    const { id } = await project.knowledge.documents.create({ title: 'Readable', content: 'word' });
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['projects:read', 'knowledge:read'],
      expiresIn: '1d',
    });
    const { page, problems } = await server.open(base, secret);
    await page.getByRole('link', { name: 'Readable' }).waitFor();
    for (const name of [/Choose/, /Re-index/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('link', { name: 'Readable' }).click();
    await page.getByRole('heading', { name: 'Content' }).waitFor();
    expect(page.url()).toContain(id);
    for (const name of ['Edit', 'Ignore', 'Delete'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
