/** Webhooks in the console: why one fails, and what to do about it. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, findingsEverywhere, openConsole } from '../support/console.ts';
import { answering, openReceiver, type Receiver } from '../support/webhooks.ts';

describe.skipIf(!hasBrowser)(inBrowser('webhooks'), { tags: ['long'] }, () => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await openConsole();
  });
  afterAll(() => server?.stop());

  const urlOf = ({ url }: Receiver) => url.replace('127.0.0.1', 'localhost');

  /** Markup, and a change of the direction of the text. */
  const hostile = '<b onclick=alert(1)>database is down</b>\u202E esrever';

  test('finds why a webhook fails, and sends the delivery again after the repair', async () => {
    await using receiver = await openReceiver();
    await using other = await openReceiver();
    receiver.respond(answering(500, {}, hostile));
    const working = await server.platform.webhooks.create({
      url: urlOf(other),
      eventTypes: ['avatar.deleted'],
      description: 'Works',
    });
    const failing = await server.platform.webhooks.create({
      url: urlOf(receiver),
      eventTypes: ['project.created'],
      description: 'Help desk',
    });
    const project = await server.platform.projects.create({ name: 'Something to tell' });
    await expect
      .poll(async () => (await server.platform.webhooks.get(failing.id)).health.status)
      .toBe('failing');
    expect((await server.platform.webhooks.get(working.id)).health.status).toBe('unknown');

    const { page, problems } = await server.open('/webhooks');
    const attention = page.getByRole('list', { name: 'Webhooks that need attention' });
    await attention.getByRole('link', { name: 'Help desk' }).waitFor();
    expect(await attention.getByRole('listitem').count()).toBe(1);
    await page.getByRole('list', { name: 'Other webhooks' }).getByRole('link', { name: 'Works' }).waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.getByLabel('Show').selectOption('true');
    await page.getByRole('link', { name: 'Works' }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('failing=true');

    // The overview of a project says why, too.
    await page.goto(`${server.baseUrl}/console#/projects/${project.id}`);
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Failing webhooks' }) });
    await card.getByText('The receiver answered 500.').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await page.goBack();

    await attention.getByRole('link', { name: 'Help desk' }).click();
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await page.locator('.notice').getByText('The receiver answered 500.').waitFor();
    await deliveries.getByText(/^500 in \d+ ms; will be retried in /).waitFor();
    await deliveries.getByText('project.created').click();
    const answer = deliveries.getByRole('list', { name: 'Attempts' }).locator('pre').first();
    expect(await answer.textContent()).toBe(hostile);
    expect(await deliveries.locator('b').count()).toBe(0);
    await deliveries.getByText('What was sent').click();
    await deliveries.getByText('"Something to tell"').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);

    // The next attempt fails while the page is open, so the page does not have the latest one.
    const attempts = async () => {
      const { items } = await server.platform.webhooks.deliveries.list(failing.id);
      return items[0]?.attempts.filter(({ durationMs }) => durationMs !== null).length;
    };
    await expect.poll(attempts).toBe(2);
    receiver.respond(answering(200, {}, 'thanks'));
    await deliveries.getByRole('button', { name: 'Send again' }).click();
    await deliveries.getByText('succeeded').waitFor({ timeout: 60_000 });
    await deliveries.getByText('thanks').waitFor();
    expect(problems).toEqual([]);
  });

  test('an attempt that is under way when the page is loaded shows its result when it ends', async () => {
    await using receiver = await openReceiver();
    const held: (() => void)[] = [];
    receiver.respond((request, response) => held.push(() => answering(503)(request, response)));
    const { id } = await server.platform.webhooks.create({
      url: urlOf(receiver),
      eventTypes: ['project.created'],
    });
    await server.platform.projects.create({ name: 'Slow' });
    await expect.poll(() => receiver.received.length).toBe(1);
    const { page } = await server.open(`/webhooks/${id}`);
    const deliveries = page.getByRole('list', { name: 'Deliveries' });
    await deliveries.getByText('no response').or(deliveries.getByText('interrupted')).waitFor();
    for (const answer of held) answer();
    await deliveries.getByText(/^503 in \d+ ms; will be retried in /).waitFor();
  });

  test('says why no request can reach the URL of an older version', async () => {
    const url = 'https://hooks.example.com/older';
    const { id } = await server.platform.webhooks.create({ url, eventTypes: ['project.created'] });
    const message = 'No name server knows a host with an empty label.';
    const reason = { code: 'invalid_url', message };
    const { page } = await server.open('/overview');
    // No request can store such a URL any more.
    await page.route(/\/webhooks(\/whk_\w+)?(\?.*)?$/, async (route) => {
      const response = await route.fetch();
      const { success, data } = await response.json();
      for (const webhook of data.items ?? [data])
        if (webhook.id === id)
          webhook.health = { status: 'failing', failures: 0, failingSince: null, reason };
      await route.fulfill({ response, json: { success, data } });
    });
    for (const address of ['/webhooks', `/webhooks/${id}`]) {
      await page.goto(`${server.baseUrl}/console#${address}`);
      await page.getByText(message).waitFor();
      await expect.poll(() => page.locator('main').textContent()).not.toMatch(/0 (failed|attempts)/);
    }
  });

  test('in a narrow column, a URL breaks between its parts, and its words stay whole', async () => {
    const url = 'https://hooks.example.com/platform/environments/production';
    const { id } = await server.platform.webhooks.create({ url, eventTypes: ['project.created'] });
    const { page } = await server.open(`/webhooks/${id}`);
    const shown = page.locator('main .facts .name', { hasText: url });
    await shown.waitFor();
    expect(await shown.textContent()).toBe(url);
    /** The words of the URL that stand on several lines. */
    const broken = () =>
      shown.evaluate((element) =>
        [...element.childNodes]
          .filter((node) => {
            const range = element.ownerDocument.createRange();
            range.selectNodeContents(node);
            return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
          })
          .map(({ textContent }) => textContent),
      );
    for (const width of [1280, 700, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await broken(), `${width} px`).toEqual([]);
    }
    // The column is narrower than the URL.
    expect(await shown.evaluate((element) => element.getClientRects().length)).toBeGreaterThan(1);
  });

  test('the keyboard alone creates a webhook and sends a test', { tags: ['nightly'] }, async () => {
    await using receiver = await openReceiver();
    receiver.respond(answering(201, {}, 'noted'));
    const { page, problems } = await server.open('/webhooks');
    const { keyboard } = page;
    await page.getByRole('button', { name: 'New webhook' }).waitFor();
    await keyboard.press('Control+k');
    await keyboard.type('create a webhook');
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New webhook' });
    await dialog.getByLabel('URL').waitFor();
    expect(await findingsEverywhere(page)).toEqual([]);
    await dialog.getByLabel('URL').focus();
    await keyboard.type(urlOf(receiver));
    await keyboard.press('Tab');
    await keyboard.type('By keyboard');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'The webhook is created' }).waitFor();
    expect(await page.locator('dialog pre').textContent()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Close' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close anyway' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();

    await page.getByRole('button', { name: 'Send a test' }).focus();
    await keyboard.press('Enter');
    const result = page.getByRole('region', { name: 'The test' });
    await result.getByText('The receiver has answered.').waitFor({ timeout: 60_000 });
    await result.getByText('noted').waitFor();
    expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toContain(
      'webhook.test',
    );
    expect(await findingsEverywhere(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a disabled webhook is enabled, and recovers what it has missed; the progress survives a reload', async () => {
    await using receiver = await openReceiver();
    const webhook = await server.platform.webhooks.create({
      url: urlOf(receiver),
      eventTypes: ['project.updated'],
      description: 'Paused',
    });
    const project = await server.platform.projects.create({ name: 'Before' });
    const { page, problems } = await server.open(`/webhooks/${webhook.id}`);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Somebody has disabled it.').waitFor();
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
    await server.platform.projects.update(project.id, { name: 'Missed' });
    await expect
      .poll(
        async () =>
          (await server.platform.events.list({ type: 'project.updated', projectId: project.id })).items
            .length,
        { timeout: 60_000 },
      )
      .toBe(1);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Recover' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Last day' }).click();
    await dialog.getByRole('button', { name: 'Recover' }).click();
    await page.getByText(/^Recover(ing|ed)/).waitFor();
    await page.reload();
    await page.getByLabel('API key').fill(server.apiKey);
    await keyboardSignIn();
    await page.getByText(/Recovered .*: 1 delivery sent again/).waitFor({ timeout: 60_000 });
    await expect.poll(() => receiver.received.some(({ body }) => body.includes('"Missed"'))).toBe(true);
    expect(problems).toEqual([]);

    async function keyboardSignIn(): Promise<void> {
      await page.keyboard.press('Enter');
    }
  });

  test('the secret is rotated; deliveries are filtered by the address; a deletion asks', async () => {
    await using receiver = await openReceiver();
    const webhook = await server.platform.webhooks.create({
      url: urlOf(receiver),
      eventTypes: ['job.failed'],
      description: 'To delete',
    });
    const { page, problems } = await server.open(`/webhooks/${webhook.id}?status=failed`);
    await page.getByText('No delivery is failed').waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('failed');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('heading', { name: 'The new secret' }).waitFor();
    const secret = (await dialog.locator('pre').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(webhook.secret);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Close anyway' }).click();
    await page.getByText('Requests are also signed with the old secret').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await expect(server.platform.webhooks.get(webhook.id)).rejects.toMatchObject({ status: 404 });
    expect(problems).toEqual([]);
  });

  test('without the scopes of the events, nothing is offered that would be refused', async () => {
    const webhook = await server.platform.webhooks.create({
      url: 'http://localhost:1/hook',
      eventTypes: ['conversation.ended'],
      description: 'Conversations',
    });
    const { secret } = await server.platform.apiKeys.create({ name: 'hooks', scopes: ['webhooks:write'] });
    const { page } = await server.open(`/webhooks/${webhook.id}`, secret);
    await page.getByText('Your credential cannot change what it sends').waitFor();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    for (const name of ['Change', 'Rotate the secret'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.goto(`${server.baseUrl}/console#/webhooks`);
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Conversations Your credential lacks').isEnabled()).toBe(false);
    expect(await dialog.getByLabel('Webhooks', { exact: true }).isEnabled()).toBe(true);
  });
});
