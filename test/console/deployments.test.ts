/** The pages of deployments in a browser. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the pages of deployments'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  const hostile = '<img src=x onerror=alert(1)>\u202e';

  /** Production has served two deployments: the second one has another prompt. */
  const newProject = async () => {
    const { id } = await server.platform.projects.create({ name: 'Support' });
    const project = server.platform.projects(id);
    const ada = await project.avatars.create({
      name: 'Ada',
      persona: { prompt: 'You answer in one sentence.' },
    });
    const git = { sha: '4b825dc6', ref: 'refs/heads/main' };
    const first = await project.deployments.create({ environment: 'production', git });
    await project.avatars.update(ada.id, { persona: { prompt: 'You answer in two sentences.' } });
    const second = await project.deployments.create({ environment: 'production', reason: hostile });
    return { id, project, ada, first, second, at: `/projects/${id}/deployments` };
  };

  test('a rollback says what it changes and that it pins; the pin is ended by a promotion', async () => {
    const { at, project, first, second } = await newProject();
    const { page, problems } = await server.open(at);
    await page.getByRole('button', { name: 'Roll back …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('pins production').waitFor();
    await dialog.getByText('Ada').click();
    await dialog.locator('ins').first().waitFor();
    expect(await dialog.locator('del').allInnerTexts()).toEqual(['two sentences']);
    expect(await dialog.locator('ins').allInnerTexts()).toEqual(['one sentence']);
    await dialog.getByText('The knowledge is the same.').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByLabel('Reason').fill('It talks too much.');
    await dialog.getByRole('button', { name: 'Roll back production' }).click();

    await page.getByText('It talks too much.').waitFor();
    expect(await project.environments.get('production')).toMatchObject({
      current: first.id,
      pinned: true,
      rollback: { from: second.id, reason: 'It talks too much.' },
    });
    expect(await findingsEverywhere(page)).toEqual([]);

    // A deployment stays staged, and its page says why.
    const third = await project.deployments.create({ environment: 'production', reason: 'Third' });
    expect(third.heldBack).toBe(true);
    await page.goto(`${server.baseUrl}/console#${at}/${third.id}`);
    await page.getByText('Nobody gets this deployment before it is promoted.').waitFor();
    await page.getByRole('button', { name: 'Promote …' }).click();
    await dialog.getByText('“It talks too much.”').waitFor();
    await dialog.getByRole('button', { name: 'Promote to production' }).click();
    await page.getByRole('button', { name: 'Roll back …' }).waitFor();
    expect(await project.environments.get('production')).toMatchObject({ current: third.id, pinned: false });
    expect(problems).toEqual([]);
  });

  test('what staging serves is promoted to production, after the differences', async () => {
    const { at, project, ada, second } = await newProject();
    const tested = await project.deployments.create({
      environment: 'staging',
      from: { deploymentId: second.id },
    });
    await project.avatars.update(ada.id, { persona: { prompt: 'You answer in three sentences.' } });
    const third = await project.deployments.create({ environment: 'production' });
    const { page, problems } = await server.open(`${at}/${tested.id}`);
    await page.getByText('Promoted from').waitFor();
    await page.getByRole('button', { name: 'Promote to …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Environment').fill('production');
    await dialog.getByText('version 3 → 2').waitFor();
    await dialog.getByText('The knowledge is the same.').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Promote to production' }).click();
    await dialog.getByText('production serves').waitFor();
    const { current, previous } = await project.environments.get('production');
    expect(previous).toBe(third.id);
    expect(await project.deployments.get(current ?? '')).toMatchObject({
      promotedFrom: tested.id,
      configHash: second.configHash,
    });
    expect(problems).toEqual([]);
  });

  test('a deleted environment is gone, and the pages of its deployments stay', async () => {
    const { at, project, second } = await newProject();
    const preview = await project.deployments.create({
      environment: 'pr-17',
      from: { deploymentId: second.id },
    });
    const { page, problems } = await server.open(at);
    const card = page.locator('section.environment').filter({ hasText: 'pr-17' });
    await card.getByRole('button', { name: 'Delete …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type pr-17 to confirm').fill('pr-17');
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await card.waitFor({ state: 'detached' });
    expect((await project.environments.list()).items.map(({ name }) => name)).toEqual(['production']);
    await page.goto(`${server.baseUrl}/console#${at}/${preview.id}`);
    await page.getByText('The environment pr-17 was deleted').waitFor();
    await page.getByRole('button', { name: 'Promote to …' }).waitFor();
    expect(await page.getByRole('button', { name: /^Roll back/ }).count()).toBe(0);

    // The name comes back, with a history of its own.
    await project.deployments.create({ environment: 'pr-17' });
    const current = await project.deployments.create({ environment: 'pr-17' });
    await page.goto(`${server.baseUrl}/console#${at}/${current.id}`);
    await page.getByRole('button', { name: 'Roll back …' }).click();
    const targets = page.getByRole('dialog').getByLabel('Return to').getByRole('option');
    await targets.first().waitFor({ state: 'attached' });
    expect(await targets.count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test('a deployment by keyboard alone; the dialog says before what it would change', async () => {
    const { at, project, ada, second } = await newProject();
    await project.avatars.update(ada.id, { status: 'archived' });
    await project.knowledge.documents.create({ title: 'Returns', content: 'Text' });
    const { page, problems } = await server.open(at);
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new deployment');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New deployment' });
    await dialog.getByText('1 document is not in the index').waitFor();
    await dialog.getByText('The project has no active avatar').waitFor();
    // The names of avatars may come later.
    await dialog.getByRole('listitem').filter({ hasText: 'removed Ada version 2' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(await page.evaluate('document.activeElement.getAttribute("list")')).toBe('environments');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Without Ada');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Deployed' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listitem').filter({ hasText: 'Without Ada' }).waitFor();
    const { current, previous } = await project.environments.get('production');
    expect(current).not.toBe(second.id);
    expect(previous).toBe(second.id);
    expect(problems).toEqual([]);
  });

  test('the timeline is filtered in the address, and the back button returns to it', async () => {
    const { at, project } = await newProject();
    await project.deployments.create({ environment: 'staging', reason: 'For staging' });
    const { page, problems } = await server.open(`${at}?environment=production&phase=superseded`);
    const rows = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByRole('link', { name: '4b825dc main' }).click();
    await page.getByRole('heading', { name: '4b825dc main' }).waitFor();
    await page.goBack();
    await rows.first().waitFor();
    expect(await page.getByLabel('Phase').inputValue()).toBe('superseded');
    await page.getByRole('link', { name: 'staging' }).click();
    await page.getByText('For staging').first().waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Commit starts with').fill('ffff');
    await page.keyboard.press('Enter');
    await page.getByText('No deployment matches').waitFor();
    expect(page.url()).toContain('environment=staging&sha=ffff');
    expect(problems).toEqual([]);
  });

  test('a page shows what changed since the predecessor; hostile text is text', async () => {
    const { at, first, second, ada, project, id } = await newProject();
    const { page, problems } = await server.open(`${at}/${second.id}`);
    await page.getByRole('heading', { name: hostile }).waitFor();
    const compared = page.locator('.compared');
    await compared.getByText('version 1 → 2').click();
    await compared.locator('ins').first().waitFor();
    expect(await compared.locator('ins').allInnerTexts()).toEqual(['two sentences']);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);

    // An avatar that was deleted since is said before it is served again.
    await project.avatars.update(ada.id, { status: 'archived' });
    await project.deployments.create({ environment: 'production' });
    await project.avatars.delete(ada.id);
    await page.goto(`${server.baseUrl}/console#${at}/${first.id}`);
    await page.getByRole('button', { name: 'Roll back to this …' }).click();
    await page.getByRole('dialog').getByText('An avatar in it was deleted since.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`${server.baseUrl}/console#/projects/${id}/deployments/${first.id}?with=${second.id}`);
    await page.getByText('deleted since').first().waitFor();
    expect(problems).toEqual([]);
  });

  test('a page names the documents that changed', async () => {
    const { id, project, at } = await newProject();
    const { documents } = project.knowledge;
    const deployed = async () => {
      await project.jobs.wait((await project.knowledge.reindex()).id);
      return project.deployments.create({ environment: 'production' });
    };
    const returns = await documents.create({ title: 'Returns', content: 'Within 14 days.' });
    const old = await documents.create({ title: 'Old', content: 'Old.' });
    await deployed();
    await documents.update(returns.id, { content: 'Within 30 days.' });
    await documents.delete(old.id);
    await documents.create({ title: hostile, content: 'New.' });
    const { id: last } = await deployed();
    const { page, problems } = await server.open(`${at}/${last}`);
    const rows = page.getByRole('list', { name: 'Documents' }).getByRole('listitem');
    await rows.first().waitFor();
    expect((await rows.allInnerTexts()).map((text) => text.trim())).toEqual([
      'changed Returns content',
      'removed Old',
      `added ${hostile}`,
    ]);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    await rows.getByRole('link', { name: 'Returns' }).click();
    await page.waitForURL(`**/console#/projects/${id}/knowledge/${returns.id}`);
    expect(problems).toEqual([]);
  });

  test('"Show more documents" goes on behind the last page, and a failure of it is repeated', async () => {
    const { at, second } = await newProject();
    const { page, problems } = await server.open(at);
    const asked: (string | null)[] = [];
    let isBroken = false;
    await page.route('**/changes?*', (route) => {
      const cursor = new URL(route.request().url()).searchParams.get('cursor');
      asked.push(cursor);
      if (isBroken) return route.abort();
      const number = Number(cursor ?? 0);
      const items = Array.from({ length: number === 0 ? 0 : 100 }, (_, index) => ({
        kind: 'document',
        id: `kdoc_${String(number * 100 + index).padStart(26, '0')}`,
        ...{ name: `Document ${number}-${index}`, change: 'added', from: null, to: null, fields: [] },
      }));
      const nextCursor = number < 3 ? `${number + 1}` : null;
      const data = { items, nextCursor, since: null, documents: 'compared' };
      return route.fulfill({ json: { success: true, data } });
    });
    // Another index, so that the page asks for the documents.
    await page.route(`**/deployments/${second.id}`, async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: object };
      const other = { ...data, knowledgeIndexVersion: 'kidx_01JZ4Y7Q8R5T2V9W3X6B0C1D4E' };
      await route.fulfill({ response, json: { success: true, data: other } });
    });
    await page.goto(`${server.baseUrl}/console#${at}/${second.id}`);
    const rows = page.getByRole('list', { name: 'Documents' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(100);
    isBroken = true;
    await page.getByRole('button', { name: 'Show more documents' }).click();
    await page.getByText('No connection').waitFor();
    expect(await rows.count()).toBe(100);
    isBroken = false;
    await page.getByRole('button', { name: 'Repeat' }).click();
    await expect.poll(() => rows.count()).toBe(200);
    await page.getByRole('button', { name: 'Show more documents' }).click();
    await expect.poll(() => rows.count()).toBe(300);
    expect(await page.getByRole('button', { name: 'Show more documents' }).count()).toBe(0);
    // Each page was asked for once, apart from the broken attempts.
    expect(asked.filter((cursor) => cursor !== '2')).toEqual([null, '1', '3']);
    expect(problems).toEqual([]);
  });

  test('a repeated rollback has the same Idempotency-Key; a key that may only read sees no button', async () => {
    const { at, project, first } = await newProject();
    const { page } = await server.open(at);
    const keys: (string | undefined)[] = [];
    let isBroken = true;
    await page.route(/\/rollback$/, async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (!isBroken) return route.continue();
      // The request takes effect, and its response is lost.
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Roll back …' }).click();
    await page.getByRole('button', { name: 'Roll back production' }).click();
    await page.getByText('No connection').waitFor();
    isBroken = false;
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByText('pinned', { exact: true }).waitFor();
    expect(new Set(keys).size).toBe(1);
    expect(keys.length).toBeGreaterThan(1);
    expect(await project.environments.get('production')).toMatchObject({ current: first.id });

    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['deploy:read'],
      expiresIn: '1d',
    });
    const reader = await server.open(at, secret);
    await reader.page.getByText('pinned', { exact: true }).waitFor();
    for (const label of [/Roll back/, /New deployment/, /End the pin/])
      expect(await reader.page.getByRole('button', { name: label }).count()).toBe(0);
    expect(reader.problems).toEqual([]);
  });

  test('the long subject of a job in CI takes at most two lines', async () => {
    const { id, at } = await newProject();
    const identity = await server.platform.workloadIdentities.create({
      name: 'deploy',
      issuer: server.issuer,
      subject: 'repo:acme@2002/shop@1001:environment:production',
      claims: {},
      scopes: ['deploy:write'],
    });
    const created = await fetch(`${server.baseUrl}/projects/${id}/deployments`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await server.ciToken(identity.audience)}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ environment: 'production', reason: 'By CI' }),
    });
    expect(created.status).toBe(201);
    for (const width of [1280, 390]) {
      const { page } = await server.open(at, server.apiKey, { viewport: { width, height: 820 } });
      const actor = page.locator('.stop', { hasText: 'By CI' }).locator('.actor');
      await actor.getByText('environment:production').waitFor();
      const [height, lineHeight] = await actor.evaluate((one) => [
        one.getBoundingClientRect().height,
        Number.parseFloat(getComputedStyle(one).lineHeight),
      ]);
      expect(height).toBeLessThanOrEqual(2 * (lineHeight ?? 0) + 1);
    }
  });
});
