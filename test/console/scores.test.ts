/** Scores in the console: found in the list, seen at the messages they point to, and given by people. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectResources } from '../../clients/typescript/src/index.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';

const hostile = '<img src=x onerror="document.title=1">\u202Edesrever\u202C & <b>bold</b>';

describe.skipIf(!hasBrowser)(inBrowser('scores in the console'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  let project: ProjectResources;
  let projectId: string;
  let base: string;
  let avatarId: string;

  beforeAll(async () => {
    server = await openConsole();
    projectId = (await server.platform.projects.create({ name: 'Scores' })).id;
    project = server.platform.projects(projectId);
    base = `/projects/${projectId}/conversations`;
    avatarId = (await project.avatars.create({ name: 'Mia', persona: { prompt: 'Help.' } })).id;
    await project.evaluators.create({
      name: 'csat',
      kind: 'external',
      output: { type: 'number', min: 1, max: 5 },
    });
    await project.evaluators.create({ name: 'solved', kind: 'external', output: { type: 'boolean' } });
    await project.evaluators.create({
      name: 'mood',
      kind: 'external',
      output: { type: 'category', values: ['happy: very', hostile.slice(0, 40)] },
    });
    await project.evaluators.create({ name: 'summary', kind: 'external', output: { type: 'text' } });
  });
  afterAll(() => server?.stop());

  const talk = async (externalUserId: string, count = 4) => {
    const { id } = await project.conversations.create({ avatarId, externalUserId });
    const messages = Array.from({ length: count }, (_, at) => ({
      role: at % 2 === 0 ? ('user' as const) : ('avatar' as const),
      text: `message ${at + 1} of ${externalUserId}`,
    }));
    for (let at = 0; at < count; at += 20)
      await project.conversations.append(id, { messages: messages.slice(at, at + 20) });
    return id;
  };
  const users = (page: Page) =>
    page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link').allInnerTexts();
  const chips = (page: Page, user: string) =>
    page
      .getByRole('list', { name: 'Conversations', exact: true })
      .locator('li', { hasText: user })
      .locator('.score-chip');

  test('the list shows scores, and filters by up to three of them in the address', async () => {
    const { scores } = project.conversations;
    const good = await talk('good');
    const bad = await talk('bad');
    await talk('unscored');
    await scores.put(good, 'csat', { value: 4.5 });
    await scores.put(good, 'solved', { value: true });
    await scores.put(good, 'mood', { value: 'happy: very' });
    await scores.put(good, 'summary', { value: hostile });
    await scores.put(bad, 'csat', { value: 2 });
    await scores.put(bad, 'mood', { value: hostile.slice(0, 40) });
    await project.conversations.append(bad, { messages: [{ role: 'user', text: 'hello?' }] });

    const { page, problems } = await server.open(base);
    await page.getByRole('link', { name: 'unscored' }).waitFor();
    expect(await chips(page, 'good').allInnerTexts()).toEqual([
      'csat 4.5',
      'mood happy: very',
      'solved yes',
      'summary given',
    ]);
    expect(await chips(page, 'bad').allInnerTexts()).toEqual([
      'csat 2 old',
      `mood ${hostile.slice(0, 40)} old`,
    ]);
    expect(await chips(page, 'unscored').count()).toBe(0);

    await page.getByText('More filters').click();
    await page.getByRole('combobox', { name: 'Score', exact: true }).selectOption('csat');
    await page.getByRole('link', { name: 'unscored' }).waitFor({ state: 'detached' });
    await expect.poll(async () => (await users(page)).sort()).toEqual(['bad', 'good']);
    await page.getByLabel('Score: condition').selectOption('gte');
    await page.getByLabel('Score: value').fill('3');
    await page.keyboard.press('Tab');
    await expect.poll(() => users(page)).toEqual(['good']);
    await page.getByRole('combobox', { name: 'Score 2', exact: true }).selectOption('mood');
    await page.getByLabel('Score 2: condition').selectOption('eq');
    await page.getByRole('combobox', { name: 'Score 3', exact: true }).selectOption('solved');
    await page.getByLabel('Score 3: condition').selectOption('eq');
    await expect.poll(() => users(page)).toEqual(['good']);
    expect(await page.getByLabel('Score 4').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);
    const shared = page.url();
    expect(new URLSearchParams(shared.split('?')[1]).getAll('score2')).toEqual(['mood:eq:happy: very']);

    const other = await server.open(shared.slice(shared.indexOf('#') + 1));
    await other.page.getByRole('link', { name: 'good' }).waitFor();
    expect(await users(other.page)).toEqual(['good']);
    expect(await other.page.getByLabel('Score: value').inputValue()).toBe('3');
    // Without the first one, the others move up.
    await other.page.getByRole('combobox', { name: 'Score', exact: true }).selectOption('');
    await other.page.getByLabel('Score 3: condition').waitFor({ state: 'detached' });
    expect(await other.page.getByRole('combobox', { name: 'Score', exact: true }).inputValue()).toBe('mood');
    await other.page.getByRole('button', { name: 'Export' }).click();
    const dialog = other.page.getByRole('dialog');
    await dialog.getByText('mood:eq:happy: very, solved:eq:true').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await other.page.getByRole('button', { name: 'Clear all' }).click();
    await other.page.getByRole('link', { name: 'unscored' }).waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
  });

  test('a wrong filter in a link is explained by the service', async () => {
    const { page } = await server.open(`${base}?score=nobody:gte:3`);
    await page.getByRole('alert').getByText('nobody').waitFor();
    expect(await page.getByRole('combobox', { name: 'Score', exact: true }).inputValue()).toBe('nobody');
  });

  test('a score leads to its messages and back; a person corrects it, by keyboard alone', async () => {
    const id = await talk('judged', 30);
    await project.conversations.scores.put(id, 'csat', {
      value: 2,
      rationale: hostile,
      evidence: [2, 30],
    });
    const { page, problems } = await server.open(`${base}/${id}`);
    const scores = page.getByRole('region', { name: 'Scores' });
    const card = page.locator('#score-csat');
    await card.getByText('by a program').waitFor();
    expect(await card.innerText()).toContain(hostile);
    expect(await page.locator('#message-2 .marks').innerText()).toBe('csat');
    expect(await page.locator('#message-3 .marks').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);

    await card.getByRole('link', { name: 'Message 30' }).press('Enter');
    await page.locator('#message-30[aria-current=location]:focus').waitFor();
    await page.locator('#message-30').getByRole('link', { name: 'Score csat' }).press('Enter');
    await page.locator('#score-csat:focus').waitFor();
    expect(page.url()).toContain('score=csat');
    // The same link works again after the reader has moved on.
    await page.locator('#message-2').getByRole('link', { name: 'Score csat' }).press('Enter');
    await page.locator('#score-csat:focus').waitFor();

    await card.getByRole('button', { name: 'Correct csat' }).press('Enter');
    const form = page.getByRole('region', { name: 'Your score' });
    await expect.poll(() => form.getByLabel('Score').inputValue()).toBe('csat');
    expect(await form.getByLabel('Evidence').inputValue()).toBe('2, 30');
    await form.getByLabel('Value').fill('5');
    await form.getByLabel('Why').fill(`Solved. ${hostile}`);
    await page.getByLabel('Message 2 is evidence').press('Space');
    await page.getByLabel('Message 4 is evidence').press('Space');
    await expect.poll(() => form.getByLabel('Evidence').inputValue()).toBe('4, 30');
    await form.getByLabel('Evidence').fill('4, 31');
    expect(await findingsEverywhere(page)).toEqual([]);
    await form.getByRole('button', { name: 'Give the score' }).press('Enter');
    await form.locator('.field', { hasText: 'Evidence' }).locator('.invalid').waitFor();
    await form.getByLabel('Evidence').fill('4');
    await form.getByRole('button', { name: 'Give the score' }).press('Enter');
    await card.getByText('by a person').waitFor();
    expect(await card.innerText()).toContain(`Solved. ${hostile}`);
    await page.locator('#message-4 .marks').waitFor();
    expect(await page.locator('#message-2 .marks').count()).toBe(0);
    await card.locator('summary', { hasText: '1 other score' }).press('Enter');
    await card.getByText('by a program').waitFor();

    await page.keyboard.press('Control+K');
    await page.keyboard.type('give a score');
    await page.keyboard.press('Enter');
    await form.getByLabel('Score').selectOption('mood');
    await form.getByLabel('Value').selectOption(hostile.slice(0, 40));
    await form.getByRole('button', { name: 'Give the score' }).click();
    await page.locator('#score-mood').getByText('by a person').waitFor();
    await project.conversations.append(id, { messages: [{ role: 'user', text: 'One more thing.' }] });
    await page.reload();
    await page.getByLabel('API key').fill(server.apiKey);
    await page.keyboard.press('Enter');
    await card.getByText('stale: about the first 30 messages').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    const stored = await project.conversations.scores.list(id);
    expect(stored.items.map(({ name, source, value }) => [name, source, value])).toEqual([
      ['mood', 'human', hostile.slice(0, 40)],
      ['csat', 'human', 5],
      ['csat', 'api', 2],
    ]);
    expect(await scores.locator('img').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('a credential that may only read sees scores, and gives none', async () => {
    const id = await talk('read-only');
    await project.conversations.scores.put(id, 'solved', { value: false });
    const { secret } = await server.platform.apiKeys.create({
      name: 'reader',
      scopes: ['conversations:read'],
      expiresIn: '1d',
    });
    const { page, problems } = await server.open(`${base}/${id}`, secret);
    await page.locator('#score-solved').getByText('by a program').waitFor();
    expect(await page.getByRole('button', { name: /score|correct/i }).count()).toBe(0);
    expect(problems).toEqual([]);
  });
});
