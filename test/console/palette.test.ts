/** The palette finds what people have named. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

describe.skipIf(!hasBrowser)(inBrowser('the palette'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: string;
  const ids: Record<string, string> = {};
  const hostile = `<b>zebra</b> ${String.fromCharCode(8238)}lemac`;

  beforeAll(async () => {
    server = await openConsole();
    const { platform } = server;
    ({ id: project } = await platform.projects.create({ name: 'Zebra crossing' }));
    const { avatars, knowledge } = platform.projects(project);
    ids.avatar = (await avatars.create({ name: hostile, persona: { prompt: 'x' } })).id;
    ids.document = (await knowledge.documents.create({ title: 'Feeding the zebra', content: 'x' })).id;
    const scopes = ['projects:read', 'avatars:read'] as const;
    ids.key = (await platform.apiKeys.create({ name: 'Zebra report', scopes: [...scopes] })).id;
    ids.twin = (await platform.apiKeys.create({ name: 'Zebra report', scopes: [...scopes] })).id;
    ids.webhook = (
      await platform.webhooks.create({ url: 'https://zebra.example.com', eventTypes: ['project.created'] })
    ).id;
  });
  afterAll(() => server?.stop());

  test('everything with the name is found by one request for each kind, and the keyboard opens it', async () => {
    const { page, problems } = await server.open(`/projects/${project}/jobs`);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) =>
      asked.push(new URL(request.url()).pathname.split('/api/v1').at(-1) ?? ''),
    );
    await page.keyboard.press('Control+k');
    const { keyboard } = page;
    await keyboard.type('zebra');
    const options = page.getByRole('option');
    await options.filter({ hasText: 'Open document Feeding the zebra' }).waitFor();
    const labels = (await options.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(labels.filter((label) => label.startsWith('Open project'))).toEqual([
      'Open project Zebra crossing',
    ]);
    expect(labels).toContain('Open webhook https://zebra.example.com/');
    expect(labels.some((label) => label.includes('<b>zebra</b>'))).toBe(true);
    // Two keys of the same name are told apart.
    expect(labels).toContain(`Open key Zebra report …${ids.key?.slice(-6)}`);
    expect(labels).toContain(`Open key Zebra report …${ids.twin?.slice(-6)}`);
    expect(await findingsEverywhere(page)).toEqual([]);

    await keyboard.press('Control+a');
    await keyboard.type('feeding');
    await page.getByRole('option', { name: 'Open document Feeding the zebra', selected: true }).waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(`**#/projects/${project}/knowledge/${ids.document}`);
    const inProject = `/projects/${project}`;
    const lists = [
      '/projects',
      '/api-keys',
      '/webhooks',
      `${inProject}/avatars`,
      `${inProject}/knowledge/documents`,
    ];
    for (const list of lists)
      expect(
        asked.filter((path) => path === list),
        list,
      ).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('an id is found, too', async () => {
    const { page } = await server.open(`/projects/${project}/avatars`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(ids.avatar ?? '');
    await page.getByRole('option', { name: /Open avatar/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/avatars/${ids.avatar}`);
    await page.getByRole('heading', { name: '<b>zebra</b>' }).waitFor();
    expect(page.url()).toContain(project);
  });

  test('only what the credential may list is asked for; a failure hides only its own kind', async () => {
    const { secret } = await server.platform.apiKeys.create({
      name: 'some',
      scopes: ['projects:read', 'avatars:read'],
      projectIds: [project],
    });
    const { page } = await server.open(`/projects/${project}`, secret);
    const refused: string[] = [];
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()));
    await page.route('**/avatars?*', (route) => route.abort('connectionreset'));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zebra');
    await page.getByRole('option', { name: 'Open project Zebra crossing' }).waitFor({ timeout: 60_000 });
    await page.getByText('Not every name is here').waitFor();
    expect(await page.getByRole('option').count()).toBe(1);
    expect(refused).toEqual([]);
  });
});
