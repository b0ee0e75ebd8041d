/** Files in the console whose texts the service extracts: they are sent, read, shown page by page, or they fail with a reason. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';
import { docxFile, pdfFile } from '../support/sample-files.ts';
import { htmlPage, openSite } from '../support/site.ts';

describe.skipIf(!hasBrowser)(inBrowser('files in the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let folder: string;
  beforeAll(async () => {
    server = await openConsole();
    folder = mkdtempSync(join(tmpdir(), 'files-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server?.stop();
  });

  const newProject = async (name: string) => {
    const { id } = await server.platform.projects.create({ name });
    return { project: server.platform.projects(id), base: `/projects/${id}/knowledge` };
  };
  const fileOf = (name: string, bytes: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const upload = async (page: Page, files: string[]) => {
    await page.locator('input[type=file][aria-label="Choose files"]').setInputFiles(files);
    await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  };
  const row = (page: Page, path: string) =>
    page.getByRole('list', { name: 'Files of the upload' }).locator('li', { hasText: path });
  const documentRow = (page: Page, title: string) => page.locator('.document-row', { hasText: title });

  test('several files are sent and read; a broken one says what to do, and the same file is not sent again', async () => {
    const { project, base } = await newProject('Files');
    const { page, problems } = await server.open(base);
    const guide = fileOf('guide.pdf', pdfFile([['Refunds take five days.'], ['Parcels leave at noon.']]));
    const terms = fileOf('terms.docx', docxFile([['Terms', 'Heading1'], ['Machines have a warranty.']]));
    const notes = fileOf('notes.md', '# Notes\n\nShort.');
    // It is not UTF-8, so the service decodes it.
    const price = fileOf('price.txt', Buffer.from('5 \x80 f\xfcr das Ger\xe4t', 'latin1'));
    const scan = fileOf('scan.pdf', pdfFile([[]]));
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(new URL(request.url()).pathname);
    });
    await upload(page, [guide, terms, notes, price, scan]);
    await row(page, 'scan.pdf').getByText('A scan must be recognised (OCR)').waitFor();
    await page.getByText('5 of 5 files, 1 failed').waitFor();
    // What has failed stands first.
    await page.locator('.upload-files li:first-child', { hasText: 'scan.pdf' }).waitFor();
    for (const name of ['guide.pdf', 'terms.docx', 'notes.md', 'price.txt'])
      await row(page, name).getByText('created').waitFor();
    // The link of a file is a credential: the page does not show it as code.
    expect(sent.filter((path) => path.startsWith('/files/'))).toHaveLength(4);
    await page.getByText('This page as code').click();
    await page.getByRole('button', { name: 'curl', exact: true }).waitFor();
    expect(await page.locator('body').innerText()).not.toContain('signature');
    await page.getByText('This page as code').click();
    await page.getByText(/^4 documents in .*, published/).waitFor();
    await documentRow(page, 'guide').getByText('indexed').waitFor();
    expect(await documentRow(page, 'scan').innerText()).toMatch(/recognised[\s\S]*failed/);
    expect(await findingsEverywhere(page)).toEqual([]);

    sent.length = 0;
    await page.getByRole('button', { name: 'Close' }).click();
    await upload(page, [guide, price]);
    for (const name of ['guide.pdf', 'price.txt']) await row(page, name).getByText('unchanged').waitFor();
    expect(sent).toEqual([]);

    // A hit names its page, and its link opens this page.
    await page.goto(`${server.baseUrl}/console#${base}/search?q=parcels&mode=lexical&right=none`);
    await page.getByText('page 2', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'guide' }).click();
    const second = page.getByRole('heading', { name: 'Page 2' });
    await expect.poll(() => second.evaluate((heading) => heading === document.activeElement)).toBe(true);
    expect(await findingsEverywhere(page)).toEqual([]);
    const { items } = await project.knowledge.documents.list({ source: 'uploads' });
    expect(items.map(({ extraction }) => extraction).sort()).toEqual(
      ['done', 'done', 'done', 'failed', null].sort(),
    );
    const decoded = items.find(({ externalId }) => externalId === 'price.txt');
    expect(await project.knowledge.documents.content(`${decoded?.id}`)).toMatchObject({
      content: '5 € für das Gerät',
    });
    expect(problems).toEqual([]);
  });

  test('a document shows what was not read, in plain words, and the list filters by it', async () => {
    const { project, base } = await newProject('In part');
    const body = Buffer.from(htmlPage('Preise', 'F\xfcr zw\xf6lf Euro.'), 'latin1');
    const site = await openSite(new Map([['/', { body, headers: { 'content-type': 'text/html' } }]]));
    onTestFinished(() => site.close());
    const { id } = await project.knowledge.sources.create({ type: 'url', url: site.url });
    await project.jobs.waitForSuccess(await project.knowledge.sources.refresh(id));
    await project.knowledge.documents.create({ title: 'Whole', content: 'Everything.' });
    const { page, problems } = await server.open(base);
    await documentRow(page, 'Whole').waitFor();
    await page.getByLabel('Read in part').selectOption('Encoding assumed');
    await documentRow(page, 'Whole').waitFor({ state: 'detached' });
    expect(await findingsEverywhere(page)).toEqual([]);
    await documentRow(page, 'Preise').getByRole('link').click();
    const notes = page.getByRole('region', { name: 'Read in part' });
    await notes.getByText('1 text states no encoding, and was read as Windows-1252.').waitFor();
    expect(await notes.innerText()).toMatch(/^The page was read in part/);
    expect(await notes.innerText()).not.toContain('upload');
    expect(await findingsEverywhere(page)).toEqual([]);

    // Of a file, it says what to do.
    const [document] = (await project.knowledge.documents.list({ source: id })).items;
    await page.route(`**/knowledge/documents/${document?.id}`, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const extractionNotes = [
        { code: 'pages_without_text', count: 2, pages: [3, 7] },
        { code: 'charts_left_out', count: 1 },
      ];
      Object.assign(body.data, { url: undefined, extractionNotes });
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${server.baseUrl}/console#${base}`);
    await documentRow(page, 'Preise').getByRole('link').click();
    await notes.getByText('2 pages have no text (pages 3, 7). If they are scanned, recognise them').waitFor();
    await notes.getByText('1 charts_left_out.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a long text is read part by part; a document that is being read shows its text by itself', async () => {
    const { project, base } = await newProject('Long');
    const lines = Array.from({ length: 6000 }, (_, at) => `Line ${at} of a long text, about nothing at all.`);
    const { page, problems } = await server.open(base);
    await upload(page, [fileOf('long.txt', lines.join('\n'))]);
    await page.getByText('1 of 1 files').waitFor();
    await documentRow(page, 'long').getByRole('link').click();
    const content = page.getByRole('region', { name: 'Content' });
    await content.getByText('20,000 characters shown').waitFor();
    const more = content.getByRole('button', { name: 'Show more' });
    await more.click();
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(await content.locator('pre').innerText()).toContain(lines.at(-1) ?? '');
    expect(await findingsEverywhere(page)).toEqual([]);

    // The file is read after the page was opened.
    const [document] = (await project.knowledge.documents.list()).items;
    const path = `**/knowledge/documents/${document?.id}`;
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      Object.assign(body.data, {
        extraction: 'pending',
        contentSha256: null,
        bytes: null,
        status: 'pending',
      });
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.getByLabel('API key').fill(server.apiKey);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('The service reads the file').waitFor();
    await page.getByText('extracting', { exact: true }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
    await content.getByText('20,000 characters shown').waitFor();
    expect(problems).toEqual([]);
  });
});
