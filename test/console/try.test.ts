/** "Try it" in a browser: the draft of an avatar beside a deployment, with a model that a test scripts. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../samples/api.ts';
import type { Script } from '../../samples/models.ts';
import { launchChromium } from '../../scripts/shared/chromium.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openerOf } from '../support/console.ts';
import { serveReplies } from '../support/served-replies.ts';

const hostile = '<img src=x onerror=alert(1)>\u202e';

describe.skipIf(!hasBrowser)(inBrowser('trying an avatar'), { tags: ['long'] }, () => {
  let service: Awaited<ReturnType<typeof serveReplies>>;
  let browser: Browser;
  let open: ConsoleServer['open'];
  let script: Script;
  let at: string;

  const isDraft: (request: Parameters<Script>[0]) => boolean = ({ system }) =>
    system.join('\n').includes('Be friendly.');

  beforeAll(async () => {
    service = await serveReplies((...input) => script(...input));
    browser = await launchChromium();
    open = openerOf(browser, service.baseUrl, service.rootKey);
    const { made, call, project, projectId, avatarId } = service;
    for (const [title, content] of [
      ['Returns', 'You can send a lamp back within 30 days.'],
      [`Lamps ${hostile}`, 'Every lamp that we send has a plug.'],
    ])
      await made('/knowledge/documents', { title, content, tags: ['shop'] });
    const { id } = await made('/knowledge/reindex', {});
    await service.workOff(projectId, String(id));
    await service.deploy();
    await change({ persona: { prompt: 'You are Ada. Be friendly.' } });
    at = `${project}/avatars/${avatarId}`;

    async function change(body: Json) {
      const { status, text } = await call('PATCH', `${project}/avatars/${avatarId}`, { body });
      if (status !== 200) throw new Error(text);
    }
  });
  beforeEach(() => {
    script = (request) => ({ steps: [isDraft(request) ? 'Gladly: within 30 days [1].' : 'In 30 days [1].'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const side = (page: Page, name: 'Draft' | 'Deployment') => page.getByRole('region', { name });
  const ask = async (page: Page, question: string) => {
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
  };
  const done = (page: Page, name: 'Draft' | 'Deployment', count = 1) =>
    side(page, name)
      .getByText('done', { exact: true })
      .nth(count - 1)
      .waitFor();

  test('one question goes to both; each shows its text, passages, cost and times; it is a chat', async () => {
    const { page, problems } = await open(at);
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.getByText('Version 2 or newer, with the published knowledge.').waitFor();
    expect(await page.getByLabel('What answers').inputValue()).toBe('production');
    expect(await findingsEverywhere(page)).toEqual([]);

    const field = page.getByLabel('Question');
    await field.click();
    await page.keyboard.type('Can I send');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('a lamp back?');
    await page.keyboard.press('Enter');
    await Promise.all([done(page, 'Draft'), done(page, 'Deployment')]);
    expect(await field.inputValue()).toBe('');
    await side(page, 'Draft').getByText('Gladly: within 30 days.').waitFor();
    await side(page, 'Deployment').getByText('In 30 days.', { exact: true }).waitFor();
    expect(await side(page, 'Draft').getByText('Can I send\na lamp back?').count()).toBe(1);

    const draft = side(page, 'Draft');
    const passages = draft.getByText('2 passages: 1 used, 1 not used');
    await passages.click();
    const used = draft.getByRole('list', { name: 'Used passages', exact: true });
    expect(await used.innerText()).toContain('Returns');
    expect(await draft.getByRole('list', { name: 'Not used passages' }).innerText()).toContain('onerror');
    expect(await draft.getByRole('list', { name: 'Cited documents' }).innerText()).toContain('Returns');
    for (const fact of ['Model', 'Cost', 'First text', 'Total', 'Search'])
      expect(await draft.getByText(fact, { exact: true }).count(), fact).toBe(1);
    expect(await draft.getByText(/^\$0\.000\d+$/).count()).toBe(1);
    expect(await draft.getByText('test.model').count()).toBe(1);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await findingsEverywhere(page)).toEqual([]);

    await ask(page, 'And a chair?');
    await Promise.all([done(page, 'Draft', 2), done(page, 'Deployment', 2)]);
    const sent = service.models.streams.at(-1);
    expect(JSON.stringify(sent?.messages)).toContain('a lamp back?');
    expect(sent?.messages).toHaveLength(3);
    const { data } = await service.call('GET', `${service.project}/conversations?test=true`);
    expect(data.items).toMatchObject([
      { test: true, messageCount: 4 },
      { test: true, messageCount: 4 },
    ]);
    expect(problems).toEqual([]);
  });

  test('the text arrives in parts; a stopped answer can be asked again', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { page, problems } = await open(`${at}/try`);
    script = (request) => ({
      steps: isDraft(request) ? ['First. ', () => gate, 'Second.'] : ['At once.'],
    });
    await ask(page, 'How long?');
    await done(page, 'Deployment');
    const draft = side(page, 'Draft');
    await draft.getByText('First.').waitFor();
    expect(await draft.getByText('Second.').count()).toBe(0);
    expect(await draft.getByRole('log').getAttribute('aria-busy')).toBe('true');
    expect(await findingsEverywhere(page)).toEqual([]);
    await draft.getByRole('button', { name: 'Stop the answer' }).click();
    await draft.getByText('cancelled', { exact: true }).waitFor();
    goOn();
    script = () => ({ steps: ['Now it is whole.'] });
    await draft.getByRole('button', { name: 'Try again' }).click();
    await draft.getByText('Now it is whole.').waitFor();
    await done(page, 'Draft');
    expect(await draft.getByText('How long?').count()).toBe(1);
    expect(await side(page, 'Deployment').getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('a reply without an answer says why', async () => {
    const { page, problems } = await open(`${at}/try`);
    script = () => ({ end: { kind: 'invalid', message: 'refused' } });
    await ask(page, 'Why?');
    await side(page, 'Draft').getByText('The model refuses the request.').waitFor();
    await side(page, 'Draft').getByRole('button', { name: 'Try again' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a question whose response is lost is asked once', async () => {
    const { page } = await open(`${at}/try`);
    const asked = service.models.streams.length;
    await page.route(/\/replies$/, async (route) => {
      await route.fetch();
      return route.abort();
    });
    await ask(page, 'Was it lost?');
    const draft = side(page, 'Draft');
    await draft.getByText('No connection').waitFor();
    await side(page, 'Deployment').getByText('No connection').waitFor();
    await page.unroute(/\/replies$/);
    await draft.getByRole('button', { name: 'Repeat' }).click();
    await done(page, 'Draft');
    const href = await draft.getByRole('link', { name: 'The conversation' }).getAttribute('href');
    const messages = await service.transcript(String(href).replace('#', ''));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'avatar']);
    expect(service.models.streams.slice(asked).filter(isDraft)).toHaveLength(1);
  });

  test('the request of an answer can be read, with the messages before it', async () => {
    const { page, problems } = await open(`${at}/try`);
    await ask(page, 'Can I send a lamp back?');
    await Promise.all([done(page, 'Draft'), done(page, 'Deployment')]);
    await ask(page, `And this? ${hostile}`);
    await Promise.all([done(page, 'Draft', 2), done(page, 'Deployment', 2)]);
    const streams = service.models.streams.slice(-2);
    for (const name of ['Draft', 'Deployment'] as const) {
      await side(page, name).getByRole('button', { name: 'Show the request' }).nth(1).click();
      const dialog = page.getByRole('dialog', { name: 'The request as sent' });
      await dialog.getByText('Highest cost').waitFor();
      const sent = streams.find((request) => isDraft(request) === (name === 'Draft'));
      const shown = await dialog.locator('pre').allTextContents();
      expect(shown).toEqual([
        ...(sent?.system ?? []),
        ...(sent?.messages ?? []).flatMap(({ content }) => content),
      ]);
      expect(shown.length).toBeGreaterThan(4);
      if (name === 'Draft') expect(await findingsEverywhere(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Close' }).click();
    }
    expect(service.models.streams.slice(-2)).toEqual(streams);
    expect(problems).toEqual([]);
  });

  test('another deployment answers in a conversation of its own', async () => {
    const other = await service.made('/deployments', { environment: 'staging', reason: 'Friendly' });
    const { page, problems } = await open(`${at}/try`);
    await page.getByLabel('What answers').selectOption('staging');
    await ask(page, 'Hello?');
    await side(page, 'Deployment').getByText('Gladly: within 30 days.').waitFor();
    await page.getByLabel('What answers').selectOption({ label: 'staging: Friendly (version 2)' });
    expect(page.url()).toContain(`with=${other.id}`);
    expect(await side(page, 'Deployment').getByText('Gladly').count()).toBe(0);
    await page.getByRole('button', { name: 'New chat' }).click();
    expect(await side(page, 'Draft').getByText('Gladly').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await ask(page, 'Hello again?');
    await Promise.all([done(page, 'Draft'), done(page, 'Deployment')]);
    expect(problems).toEqual([]);
  });

  test('an avatar without a model says what to do', async () => {
    const { id } = await service.made('/avatars', { name: 'Bea', persona: { prompt: 'You are Bea.' } });
    const { page, problems } = await open(`${service.project}/avatars/${id}/try`);
    await page.getByText('No deployment has this avatar yet.').waitFor();
    await ask(page, 'Who are you?');
    const remedy = page.getByRole('link', { name: 'Choose a model' });
    await page.getByText('The avatar has no model', { exact: true }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await remedy.click();
    await page.getByLabel('Model that answers').waitFor();
    expect(problems).toEqual([]);
  });

  test('a key without the scopes for drafts sees the deployment only; one that may not ask sees why', async () => {
    const opened = async (scopes: readonly string[]) => {
      const { secret } = await service.createKey({ scopes });
      return open(`${at}/try`, secret);
    };
    const asker = await opened(['avatars:read', 'conversations:write', 'deploy:read']);
    await asker.page.getByText('it needs the scope knowledge:read').waitFor();
    expect(await side(asker.page, 'Draft').count()).toBe(0);
    await ask(asker.page, 'Can I send a lamp back?');
    await done(asker.page, 'Deployment');
    expect(await asker.page.getByRole('button', { name: 'Show the request' }).count()).toBe(0);
    expect(await findingsEverywhere(asker.page)).toEqual([]);
    const writer = await opened(['avatars:read', 'conversations:write']);
    await writer.page.getByText('Asking needs the scope deploy:read').waitFor();
    const reader = await opened(['avatars:read', 'conversations:read', 'deploy:read']);
    await reader.page.getByText('Your key has no conversations:write').waitFor();
    for (const { problems } of [asker, writer, reader]) expect(problems).toEqual([]);
    for (const { page } of [writer, reader]) expect(await page.getByLabel('Question').count()).toBe(0);
  });
});
