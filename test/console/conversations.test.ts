/** The conversations in the console: finding one, reading it while it goes on, exporting and erasing. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageInput, ProjectResources } from '../../clients/typescript/src/index.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

const hostile =
  '<style>body{display:none}</style><img src=x onerror="document.title=1">\u202Edesrever\u202C 👩‍👩‍👧';

describe.skipIf(!hasBrowser)(inBrowser('conversations in the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: ProjectResources;
  let base: string;
  let avatarId: string;

  beforeAll(async () => {
    server = await openConsole();
    const { id } = await server.platform.projects.create({ name: 'Support' });
    project = server.platform.projects(id);
    base = `/projects/${id}/conversations`;
    avatarId = (await project.avatars.create({ name: 'Mia', persona: { prompt: 'Help.' } })).id;
  });
  afterAll(() => server?.stop());

  const talk = async (
    externalUserId: string,
    messages: readonly (MessageInput | string)[],
    fields: { tags?: string[]; channel?: string; startedAt?: string } = {},
  ) => {
    const { id } = await project.conversations.create({ avatarId, externalUserId, ...fields });
    const sent = messages.map((one) =>
      typeof one === 'string' ? { role: 'user' as const, text: one } : one,
    );
    if (sent.length > 0) await project.conversations.append(id, { messages: sent });
    return id;
  };
  const rows = (page: Page) => page.getByRole('list', { name: 'Conversations', exact: true }).locator('li');
  const searched = async (q: string) => {
    for (;;) {
      const { items } = await project.conversations.search({ q });
      if (items.length > 0) return;
      await new Promise((done) => setTimeout(done, 200));
    }
  };

  test('filters are in the address: the back button and a link show the same list', async () => {
    await talk('filter-1', ['hello'], { tags: ['angry'], channel: 'web' });
    const ended = await talk('filter-2', ['hello'], { tags: ['angry'], channel: 'phone' });
    await project.conversations.end(ended, { reason: 'completed' });
    await talk('filter-3', ['hello'], { channel: 'web' });
    const { page, problems } = await server.open(base);
    await page.getByRole('link', { name: 'filter-3' }).waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Tag').fill('angry');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'filter-3' }).waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('ended');
    await page.getByRole('link', { name: 'filter-1' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'filter-2' }).waitFor();
    expect(await rows(page).count()).toBe(1);
    const shared = page.url();
    await page.getByRole('link', { name: 'filter-2' }).click();
    await page.getByRole('heading', { name: 'filter-2' }).waitFor();
    await page.goBack();
    await rows(page).getByRole('link', { name: 'filter-2' }).waitFor();
    expect(page.url()).toBe(shared);
    expect(await rows(page).count()).toBe(1);
    const other = await server.open(shared.slice(shared.indexOf('#') + 1));
    await other.page.getByRole('link', { name: 'filter-2' }).waitFor();
    expect(await rows(other.page).count()).toBe(1);
    await other.page.getByRole('button', { name: 'Clear all' }).click();
    await other.page.getByRole('link', { name: 'filter-3' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect([...problems, ...other.problems]).toEqual([]);
  });

  test('conversations with trouble are first if asked for, and a link shows the same order', {
    tags: ['nightly'],
  }, async () => {
    const calm = await talk('calm', ['hello', { role: 'avatar', text: 'Hello!' }, 'thanks'], {
      channel: 'ranked',
    });
    await project.conversations.end(calm, { reason: 'completed' });
    const left = await talk('left', ['hello', { role: 'avatar', text: 'Hello!' }], { channel: 'ranked' });
    await project.conversations.end(left, { reason: 'abandoned' });
    const silent = await talk('silent', ['hello', 'is anybody there?'], { channel: 'ranked' });
    await project.conversations.end(silent, { reason: 'error' });
    await talk('newest', ['hi', { role: 'avatar', text: 'Hi!' }], { channel: 'ranked' });
    const { page, problems } = await server.open(`${base}?channel=ranked`);
    const users = () => rows(page).getByRole('link').allInnerTexts();
    await expect.poll(users).toEqual(['newest', 'silent', 'left', 'calm']);
    await page.getByLabel('Order').selectOption('trouble');
    await expect.poll(users).toEqual(['silent', 'left', 'calm', 'newest']);
    await rows(page).nth(0).getByText('no answer').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByLabel('Order').selectOption('messages');
    await expect.poll(async () => (await users())[0]).toBe('calm');
    const order = await users();
    const linked = await server.open(page.url().slice(page.url().indexOf('#') + 1));
    await expect.poll(() => rows(linked.page).getByRole('link').allInnerTexts()).toEqual(order);
    await linked.page.getByRole('link', { name: 'silent' }).click();
    await linked.page.getByRole('heading', { name: 'silent' }).waitFor();
    await linked.page.goBack();
    await rows(linked.page).getByRole('link', { name: 'silent' }).waitFor();
    expect(await linked.page.getByLabel('Order').inputValue()).toBe('messages');
    expect([...problems, ...linked.problems]).toEqual([]);
  });

  test('a wrong value in a link is explained by the service', async () => {
    const { page } = await server.open(`${base}?status=sleeping`);
    await page.getByRole('alert').getByText('status').waitFor();
    expect(await page.getByRole('button', { name: 'Clear all' }).count()).toBe(1);
  });

  test('a search marks the words and leads to the message, by keyboard alone', async () => {
    const id = await talk('searcher', [
      ...Array.from({ length: 24 }, (_, at) => `line ${at + 1}`),
      'The zeppelin was late.',
    ]);
    await project.conversations.append(id, {
      messages: Array.from({ length: 20 }, (_, at) =>
        at === 0
          ? { role: 'tool' as const, text: 'zeppelin: 40 minutes' }
          : { role: 'avatar' as const, text: `reply ${at}` },
      ),
    });
    await searched('zeppelin');
    const { page, problems } = await server.open(base);
    await page.getByLabel('Search in messages').focus();
    await page.keyboard.type('zeppelin');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Message 26' }).waitFor();
    await page.getByLabel('Tools').selectOption('true');
    await page.getByRole('link', { name: 'Message 26' }).waitFor({ state: 'detached' });
    await page.locator('mark', { hasText: 'zeppelin' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    const link = page.getByRole('link', { name: 'Message 25' });
    for (let presses = 0; presses < 40; presses += 1) {
      if (await link.evaluate((element) => element === element.ownerDocument.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    const message = page.locator('#message-25[aria-current=location]:focus');
    await message.waitFor();
    expect(await message.innerText()).toContain('The zeppelin was late.');
    expect(problems).toEqual([]);
  });

  test('a conversation is followed live until it ends', async () => {
    const id = await talk('live', ['first words']);
    const { page, problems } = await server.open(`${base}/${id}`);
    await page.getByText('first words').waitFor();
    await page.getByText('New messages appear here.').waitFor();
    await project.conversations.append(id, { messages: [{ role: 'avatar', text: 'an answer, live' }] });
    await page.locator('.message.avatar', { hasText: 'an answer, live' }).waitFor();
    await project.conversations.end(id, { reason: 'completed' });
    await page.getByText('completed').waitFor();
    expect(await page.getByRole('button', { name: 'Follow live' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('a link to a message in the middle of a long conversation; earlier messages are one click away', async () => {
    const id = await talk('long', []);
    for (let part = 0; part < 10; part += 1)
      await project.conversations.append(id, {
        messages: Array.from({ length: 25 }, (_, at) => ({
          role: 'user' as const,
          text: `number ${part * 25 + at + 1}.`,
        })),
      });
    const { page } = await server.open(`${base}/${id}?message=150`);
    await page.getByText('number 150.').waitFor();
    expect(await page.getByText('number 129.').count()).toBe(0);
    await page.getByRole('button', { name: 'Show earlier messages' }).click();
    await page.getByText('number 129.').waitFor();
    const seqs = await page
      .locator('.message')
      .evaluateAll((all) => all.map((one) => Number(one.id.slice(8))));
    expect(seqs).toEqual(seqs.map((_, at) => (seqs[0] ?? 0) + at));
    await page.getByRole('spinbutton', { name: 'Message' }).fill('3');
    await page.keyboard.press('Enter');
    await page.locator('#message-3[aria-current=location]').waitFor();
    expect(page.url()).toContain('message=3');
  });

  test('hostile text is text; a citation opens its document; gaps and days are shown', async () => {
    const document = await project.knowledge.documents.create({ title: hostile.slice(0, 60), content: 'x' });
    const at = (seconds: number) => new Date(Date.now() - 3_600_000 + seconds * 1000).toISOString();
    const id = await talk(
      '<b>user</b>',
      [
        { role: 'user', text: hostile, at: at(0) },
        { role: 'user', text: 'y'.repeat(10_000), at: at(300) },
        {
          role: 'avatar',
          text: 'See this.',
          at: at(301),
          citations: [{ documentId: document.id, title: '<i>cited</i>', snippet: hostile }],
          metadata: { toolCallId: hostile },
        },
      ],
      { tags: ['<u>tag</u>'], channel: '<s>web</s>', startedAt: at(0) },
    );
    const { page, problems } = await server.open(`${base}/${id}`);
    await page.getByRole('heading', { name: '<b>user</b>' }).waitFor();
    await page.locator('#message-1').getByText('<style>body{display:none}</style>').waitFor();
    expect(await page.locator('main img, main style, main .foreign b').count()).toBe(0);
    await page.getByText('5 min later').waitFor();
    expect(await page.getByRole('button', { name: 'Show all 10,000 characters' }).count()).toBe(1);
    expect(await page.getByText('Metadata', { exact: true }).count()).toBe(1);
    await page.locator('#message-3').getByText('Metadata', { exact: true }).click();
    await page.locator('#message-3 dd').getByText('<style>body{display:none}</style>').waitFor();
    expect(await page.locator('main img, main style, main .foreign b').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByRole('link', { name: '<i>cited</i>' }).click();
    await page.getByRole('heading', { level: 1 }).getByText('<style>').waitFor();
    expect(page.url()).toContain(document.id);
    expect(problems).toEqual([]);
  });

  test('the selection is exported; a reload shows the job again', async () => {
    const id = await talk('exported', ['take me along'], { tags: ['export-me'] });
    const { page, problems } = await server.open(`${base}?tag=export-me`);
    await page.getByRole('link', { name: 'exported' }).waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('export-me');
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('link', { name: 'Download file 1' }).waitFor();
    const address = page.url().slice(page.url().indexOf('#') + 1);
    const again = await server.open(address);
    const [download] = await Promise.all([
      again.page.waitForEvent('download'),
      again.page.getByRole('link', { name: 'Download file 1' }).click(),
    ]);
    const lines = gunzipSync(readFileSync(await download.path()))
      .toString()
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([id]);
    expect(await findingsEverywhere(again.page)).toEqual([]);
    expect([...problems, ...again.problems]).toEqual([]);
  });

  test('a conversation is erased after its id is typed, by keyboard alone', {
    tags: ['nightly'],
  }, async () => {
    const id = await talk('to-erase', ['forget me']);
    const { page, problems } = await server.open(base);
    await page.getByRole('link', { name: 'to-erase' }).click();
    await page.getByRole('button', { name: 'Erase', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Erase this conversation' });
    await dialog.getByText(/^The conversation of to-erase, started on .* messages are erased/).waitFor();
    await dialog.getByText('The last six characters of the id').waitFor();
    await dialog.getByLabel(`Type ${id.slice(-6)} to confirm`).focus();
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    expect(await dialog.getByRole('button', { name: 'Erase forever' }).isDisabled()).toBe(true);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(id.slice(-6));
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('This conversation is erased').waitFor();
    await page.getByText('Its data was removed').waitFor();
    await page.getByRole('link', { name: 'Open the list' }).click();
    await page.getByRole('link', { name: 'filter-3' }).waitFor();
    expect(await page.getByRole('link', { name: 'to-erase' }).count()).toBe(0);
    await expect(project.conversations.get(id)).rejects.toMatchObject({ status: 404 });
    expect(problems).toEqual([]);
  });

  test('all conversations of a user are erased by a job; a reload follows it again', {
    tags: ['nightly'],
  }, async () => {
    await talk('user-77', ['one']);
    await talk('user-77', ['two']);
    const { page } = await server.open(`${base}?externalUserId=user-77`);
    await page.getByRole('link', { name: 'user-77' }).first().waitFor();
    await page.getByRole('button', { name: 'Erase a user' }).click();
    await page.getByText('All conversations of user-77 in this project').waitFor();
    await page.getByText('The id of the user.').waitFor();
    await page.getByLabel('Type user-77 to confirm').fill('user-77');
    await page.getByRole('button', { name: 'Erase forever' }).click();
    await page.getByText('2 conversations were erased').waitFor();
    await page.getByText('Nothing fits the filters').waitFor();
    const again = await server.open(page.url().slice(page.url().indexOf('#') + 1));
    await again.page.getByText('2 conversations were erased').waitFor();
    expect((await project.conversations.list({ externalUserId: 'user-77' })).items).toEqual([]);
  });

  test('a key that may only read sees no erasure, and exports', async () => {
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['projects:read', 'conversations:read'],
      expiresIn: '1d',
    });
    const { page, problems } = await server.open(base, secret);
    await page.getByRole('link', { name: 'filter-1' }).click();
    await page.getByText('New messages appear here.').waitFor();
    expect(await page.getByRole('button', { name: /Erase/ }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Erase/ }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
