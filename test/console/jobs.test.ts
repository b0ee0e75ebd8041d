/** Jobs in the console. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole, signIn } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('jobs'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: string;
  beforeAll(async () => {
    server = await openConsole();
    ({ id: project } = await server.platform.projects.create({ name: 'Handbook' }));
  });
  afterAll(() => server?.stop());

  const resources = () => server.platform.projects(project);

  /** Enough documents for a job that takes a while. */
  async function putDocuments(count: number, sentence: string): Promise<void> {
    const text = sentence.repeat(200);
    for (let at = 0; at < count; at += 20)
      await resources().knowledge.documents.batch({
        documents: Array.from({ length: 20 }, (_, index) => ({
          externalId: `document-${at + index}`,
          title: `Document ${at + index}`,
          content: `# Document ${at + index}\n\n${text}`,
        })),
      });
  }

  test('a job is followed until it ends, also after a reload', async () => {
    // In German, which the model of the search does not speak: 200 documents in English would take minutes.
    await putDocuments(200, 'Erstattungen werden innerhalb von drei Tagen bezahlt. ');
    const { page, problems } = await server.open(`/projects/${project}/jobs`);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    const job = await resources().knowledge.reindex();
    await page.getByRole('button', { name: 'Refresh' }).click();
    const waits = page.waitForRequest((request) => request.url().includes('waitSeconds='));
    await page.getByRole('link', { name: 'Re-index the knowledge' }).first().click();
    await waits;
    await page.getByRole('progressbar').waitFor();
    await page.reload();
    await signIn(page, server.apiKey);
    await page.getByText('succeeded', { exact: true }).waitFor({ timeout: 120_000 });
    expect((await resources().jobs.get(job.id)).status).toBe('succeeded');
    const documents = page.getByText('200 of 200 done').first();
    await documents.waitFor();
    expect(page.url()).toContain(job.id);
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('the keyboard alone cancels a job', { tags: ['nightly'] }, async () => {
    await putDocuments(200, 'Refunds are paid within four days. ');
    const { page, problems } = await server.open(`/projects/${project}/jobs`);
    const { keyboard } = page;
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    const job = await resources().knowledge.reindex();
    await page.goto(`${server.baseUrl}/console#/projects/${project}/jobs/${job.id}`);
    await page.getByRole('button', { name: 'Cancel the job' }).waitFor();
    await keyboard.press('Control+k');
    await keyboard.type('cancel this job');
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cancel this job?' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Cancel the job' }).focus();
    await keyboard.press('Enter');
    await page.getByText('cancelled', { exact: true }).waitFor();
    expect((await resources().jobs.get(job.id)).status).toBe('cancelled');
    expect(problems).toEqual([]);
  });

  test('an export offers its files; filters are in the address', async () => {
    const job = await resources().exports.create({ what: 'documents' });
    await resources().jobs.waitForSuccess(job);
    const { page, problems } = await server.open(
      `/projects/${project}/jobs?type=knowledge.export&status=succeeded`,
    );
    const jobs = page.getByRole('list', { name: 'Jobs' });
    await jobs.getByRole('link', { name: 'Export documents' }).waitFor();
    expect(await jobs.getByRole('listitem').count()).toBe(1);
    expect(await findingsEverywhere(page)).toEqual([]);
    await jobs.getByRole('link', { name: 'Export documents' }).click();
    const file = page.getByRole('list', { name: 'Files' }).getByRole('link', { name: 'Part 1' });
    const address = await file.getAttribute('href');
    expect((await fetch(address ?? '')).status).toBe(200);
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await jobs.getByRole('link', { name: 'Re-index the knowledge' }).first().waitFor();
    expect(problems).toEqual([]);
  });

  test('an import of which every line has failed is marked, also on the overview', async () => {
    const { platform } = server;
    const { id } = await platform.projects.create({ name: 'Import' });
    const own = platform.projects(id);
    const file = '{"avatarId":"nobody"}\n{}\n';
    const { id: uploadId, url } = await own.uploads.create({ bytes: file.length });
    expect((await fetch(url, { method: 'PUT', body: file })).ok).toBe(true);
    const job = await own.jobs.waitForSuccess(own.conversations.importFile({ uploadId }));
    expect(job.result).toMatchObject({ created: 0, failed: 2 });

    const { page, problems } = await server.open(`/projects/${id}`);
    const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Failed jobs' }) });
    await card.getByText('Nothing was imported: 2 lines failed.').waitFor();
    await card.getByRole('link', { name: 'Import conversations' }).click();
    await page.locator('.head').getByText('imported nothing').waitFor();
    await page.getByRole('link', { name: 'Jobs' }).last().click();
    await page.getByRole('list', { name: 'Jobs' }).getByText('imported nothing').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('documents that failed are shown by their titles; each title is read once', async () => {
    const { id: known } = await resources().knowledge.documents.create({ title: 'Returns', content: 'a' });
    const { id } = await resources().knowledge.reindex();
    await resources().jobs.wait(id);
    const { page, problems } = await server.open('/');
    // For the page, the job could not index some documents.
    const gone = 'kdoc_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';
    const failures = [known, gone].map((documentId) => ({ documentId, code: 'too_large', message: 'm' }));
    await page.route(`**/jobs/${id}*`, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      const json = { success: true, data: { ...data, failures, warnings: failures } };
      await route.fulfill({ response, json });
    });
    const read: string[] = [];
    page.on('request', (request) => read.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
    await page.goto(`${server.baseUrl}/console#/projects/${project}/jobs/${id}`);
    const failed = page.getByRole('list', { name: 'Documents that failed' });
    await failed.getByRole('link', { name: 'Returns' }).waitFor();
    await failed.getByRole('link', { name: 'Document …0C1D4E' }).waitFor();
    await page.getByRole('list', { name: 'with a warning' }).getByRole('link', { name: 'Returns' }).waitFor();
    for (const one of [known, gone]) expect(read.filter((name) => name === one)).toHaveLength(1);
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(problems).toEqual([]);
  });

  test('each credential sees the jobs that it may read, and cancels those that it may change', async () => {
    const job = await resources().knowledge.reindex();
    const keyWith = async (...scopes: ('knowledge:read' | 'projects:read')[]) =>
      (await server.platform.apiKeys.create({ name: 'reader', scopes })).secret;
    const reader = await server.open(
      `/projects/${project}/jobs/${job.id}`,
      await keyWith('knowledge:read', 'projects:read'),
    );
    await reader.page.getByRole('heading', { name: 'Re-index the knowledge' }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Cancel the job' }).count()).toBe(0);
    const other = await server.open(`/projects/${project}/jobs`, await keyWith('projects:read'));
    await other.page.getByText('This credential may read no job').waitFor();
  });
});
