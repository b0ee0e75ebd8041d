/** The test of the knowledge with questions, in the console. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('questions in the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let base: string;
  const hostile = '<b>Parcels</b>';

  beforeAll(async () => {
    server = await openConsole();
    const { id } = await server.platform.projects.create({ name: 'Questions' });
    const { knowledge, jobs, deployments } = server.platform.projects(id);
    const put = (externalId: string, title: string, content: string) =>
      knowledge.documents.put(externalId, { source: 'handbook', title, content });
    await put('returns.md', 'Returns', 'You can send anything back within 30 days.');
    await put('refunds.md', 'Refunds', 'We refund to the card you paid with.');
    await put('parcels.md', hostile, 'Damaged parcels go back to us, for a refund.');
    await jobs.wait((await knowledge.reindex()).id);
    await deployments.create({ environment: 'production' });
    await put('pending.md', 'Pending', 'A document that waits for the next re-indexing.');
    base = `/projects/${id}/knowledge`;
  });
  afterAll(() => server?.stop());

  test('the keyboard alone runs a test; the failed questions are shown with what was found', async () => {
    const { page, problems } = await server.open(base);
    await page.getByRole('link', { name: 'Test', exact: true }).press('Enter');
    await page.getByText('See whether your documents answer').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByLabel('Questions, and').focus();
    await page.keyboard.insertText(
      'q,externalId\nsend anything back,returns.md\nwaits for the next,pending.md\nrefund of parcels,nowhere.md',
    );
    await page.getByLabel('Source of the documents').focus();
    await page.keyboard.type('handbook');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 3 questions passed').waitFor();
    const failed = page.getByRole('list', { name: 'Failed questions' });
    const pending = failed.getByRole('listitem').filter({ hasText: 'line 3' }).first();
    await pending.getByText('not in the index').waitFor();
    const nowhere = failed.getByRole('listitem').filter({ hasText: 'line 4' }).first();
    await nowhere.getByText('there is no such document').waitFor();
    await nowhere.getByRole('link', { name: hostile }).waitFor();
    expect(await page.locator('.measure').allInnerTexts()).toEqual(['0.333', '0.333', '0.333']);
    await page.getByText('1 question passed').click();
    await page.getByRole('list', { name: 'Passed questions' }).getByText('place 1').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);

    // A look at a document loses nothing.
    await nowhere.getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { name: hostile }).waitFor();
    await page.goBack();
    await page.getByText('1 of 3 questions passed').waitFor();
    expect(await page.getByLabel('Questions, and').inputValue()).toContain('nowhere.md');
    expect(problems).toEqual([]);
  });

  test('an environment is tested, with a file; what is wrong in it has a line', async () => {
    const { page } = await server.open(`${base}/test`);
    const file = (text: string | Buffer) =>
      page.getByLabel('File of questions').setInputFiles({
        name: 'questions.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text),
      });
    await file('q,externalId\nhow,');
    await page.getByRole('button', { name: 'Run the test' }).click();
    await page.getByRole('alert').getByText('line 2: names no document').waitFor();
    await file('q,documentId\nhow,kdoc_1');
    await page.getByRole('button', { name: 'Run the test' }).click();
    await page.getByRole('alert').getByText('line 2: expect.0.documentId').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await file(Buffer.from([0xff, 0xfe]));
    await page.getByRole('alert').getByText('is not UTF-8 text').waitFor();

    await file('q,externalId,source\nsend anything back,returns.md,handbook');
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/evaluate')) asked.push(request.postDataJSON());
    });
    await page.getByLabel('Index').selectOption('production');
    await page.getByRole('button', { name: 'Run the test' }).click();
    await page.getByText('1 of 1 question passed').waitFor();
    expect(asked).toMatchObject([{ environment: 'production', questions: [{ q: 'send anything back' }] }]);
  });

  test('passages are judged, and a test that names none says so', async () => {
    const { page, problems } = await server.open(`${base}/test`);
    const run = async (questions: string) => {
      await page.getByLabel('Questions, and').fill(questions);
      await page.getByLabel('Source of the documents').fill('handbook');
      await page.getByRole('button', { name: 'Run the test' }).click();
    };
    await run('q,externalId\nsend anything back,returns.md');
    await page.getByText('The questions name only documents.').waitFor();
    await run(
      'q,externalId,contains\nsend anything back,returns.md,30 DAYS\nrefund to the card,refunds.md,in cash',
    );
    await page.getByText('1 of 2 questions passed').waitFor();
    await page.getByText('The questions name only documents.').waitFor({ state: 'detached' });
    expect(await page.locator('.measure').allInnerTexts()).toEqual([
      '1.000',
      '1.000',
      '1.000',
      '0.500',
      '0.500',
    ]);
    await page.getByRole('list', { name: 'Failed questions' }).getByText('passage not found').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('many questions are asked in several requests, and Stop ends them', async () => {
    const { page } = await server.open(`${base}/test`);
    const rows = Array.from({ length: 120 }, (_, at) => `send back number ${at},returns.md,handbook`);
    await page.getByLabel('Questions, and').fill(['q,externalId,source', ...rows].join('\n'));
    const sizes: number[] = [];
    let isHeld = false;
    await page.route('**/evaluate', (route) => {
      const { questions } = route.request().postDataJSON() as { questions: unknown[] };
      sizes.push(questions.length);
      return isHeld ? undefined : route.continue();
    });
    await page.getByRole('button', { name: 'Run the test' }).click();
    await page.getByText(/of 120 questions passed/).waitFor({ timeout: 90_000 });
    expect(sizes).toEqual([50, 50, 20]);
    isHeld = true;
    await page.getByRole('button', { name: 'Run the test' }).click();
    await page.getByText('0 of 120 questions asked').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('questions asked').waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
  });
});
