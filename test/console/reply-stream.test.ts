/** The events of a reply in a browser, read with `fetch` as they arrive. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Json, storedOf } from '../../samples/api.ts';
import type { Script } from '../../samples/models.ts';
import { launchChromium } from '../../scripts/shared/chromium.ts';
import { hasBrowser, inBrowser } from '../support/browser.ts';
import { type ConsoleServer, openerOf } from '../support/console.ts';
import { serveReplies } from '../support/served-replies.ts';

/** In the page: tells the test what has arrived. */
declare const heard: (text: string) => Promise<void>;

type Stream = { url: string; key: string; lastEventId?: string; stopAt?: string };
type Part = { type: string; delta?: string; messageMetadata?: Json; title?: string };

function gateOf() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  // An answer must not outlive a test that fails.
  onTestFinished(() => open());
  return { opened, open };
}

/** Runs in the page. Aborts the request as soon as `stopAt` has arrived. */
async function readEvents({ url, key, lastEventId, stopAt }: Stream) {
  const stop = new AbortController();
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (lastEventId !== undefined) headers['Last-Event-ID'] = lastEventId;
  const response = await fetch(url, { headers, signal: stop.signal });
  const decoder = new TextDecoder();
  let text = '';
  let error = '';
  try {
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      text += decoder.decode(read.value, { stream: true });
      await heard(text);
      if (stopAt !== undefined && text.includes(stopAt)) stop.abort();
    }
  } catch (thrown) {
    error = thrown instanceof Error ? thrown.name : 'unknown';
  }
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    protocol: response.headers.get('x-vercel-ai-ui-message-stream'),
    text,
    error,
  };
}

const dataOf = (text: string): string[] => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);

const partsOf = (text: string): Part[] =>
  dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as Part);

const typesOf = (text: string): string =>
  partsOf(text)
    .map(({ type }) => type)
    .join(' ');

const deltasOf = (text: string): string =>
  partsOf(text)
    .map(({ delta = '' }) => delta)
    .join('');

const lastIdOf = (text: string): string => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '';

describe.skipIf(!hasBrowser)(inBrowser('the events of a reply in a browser'), { tags: ['long'] }, () => {
  let service: Awaited<ReturnType<typeof serveReplies>>;
  let browser: Browser;
  let open: ConsoleServer['open'];
  let script: Script;
  let key: string;

  beforeAll(async () => {
    service = await serveReplies((...input) => script(...input));
    browser = await launchChromium();
    open = openerOf(browser, service.baseUrl, service.rootKey);
    const { made, workOff, projectId, createKey } = service;
    for (const [title, content] of [
      ['Returns', 'You can send a lamp back within 30 days.'],
      ['Lamps', 'Every lamp that we send has a plug.'],
    ])
      await made('/knowledge/documents', { title, content, tags: ['shop'] });
    const { id } = await made('/knowledge/reindex', {});
    await workOff(projectId, String(id));
    key = (await createKey({ scopes: ['conversations:read'] })).secret;
  });
  beforeEach(() => {
    script = () => ({ steps: ['In 30 days [1].'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  async function ask() {
    const conversation = await service.converse({ test: true });
    const input = { text: 'Can I send a lamp back?' };
    const { status, data, text } = await service.ask(conversation, { target: { draft: true }, input });
    if (status !== 202) throw new Error(text);
    const path = `${conversation}/replies/${data.id}`;
    return {
      url: `${service.baseUrl}${path}/events`,
      reply: async () => (await service.call('GET', path)).data,
      /** @returns the message with the answer */
      async message() {
        const messages = await service.transcript(conversation);
        return messages.find(({ role }) => role === 'avatar');
      },
    };
  }

  /** @returns a page of the console without a session, and what it has told the test last */
  async function openReader() {
    const { page, problems } = await open('/', null);
    const last = { text: '' };
    await page.exposeFunction('heard', (text: string) => {
      last.text = text;
    });
    return { page, problems, last, read: (stream: Omit<Stream, 'key'>) => readIn(page, stream) };
  }

  function readIn(page: Page, stream: Omit<Stream, 'key'>) {
    const reading = page.evaluate(readEvents, { key, ...stream });
    // A test that fails does not wait for it.
    reading.catch(() => {});
    return reading;
  }

  /** Open streams and other requests that wait. */
  const leases = async () =>
    (await storedOf(service, 'idempotency')).filter(({ tenant }) => `${tenant}`.endsWith('#waits'));

  test('arrive while the answer is written: the text of the message, its sources, and the end', async () => {
    const gate = gateOf();
    script = () => ({
      steps: ['Gladly 😀: within', () => gate.opened, ' 30 days [1].\n\ndata: x\r\n', 'It has a plug [2].'],
    });
    const { problems, last, read } = await openReader();
    const { url, reply, message } = await ask();
    const reading = read({ url });
    await expect.poll(() => deltasOf(last.text), { timeout: 30_000 }).toBe('Gladly 😀: within');
    expect((await reply()).status).toBe('running');
    expect(typesOf(last.text)).toBe('start text-start text-delta');
    gate.open();

    const { text, ...response } = await reading;
    expect(response).toEqual({ status: 200, type: 'text/event-stream', protocol: 'v1', error: '' });
    const parts = partsOf(text);
    expect(typesOf(text)).toMatch(/^start text-start( text-delta){2,} text-end( source-document){2} finish$/);
    expect(dataOf(text).at(-1)).toBe('[DONE]');
    const stored = await message();
    expect(deltasOf(text)).toBe(stored?.text);
    expect(stored?.text).toContain('30 days.\n\ndata: x\r\nIt has a plug.');
    const sources = parts.filter(({ type }) => type === 'source-document');
    expect(stored?.citations).toMatchObject(sources.map(({ title }) => ({ title })));
    expect(parts.at(-1)?.messageMetadata).toEqual({ messageId: stored?.id });
    expect(problems).toEqual([]);
  });

  test('of a reader that aborts and resumes are the stored text, once', async () => {
    const [first, second] = [gateOf(), gateOf()];
    script = () => ({
      steps: ['First 😀.', () => first.opened, ' Unheard 😀.', () => second.opened, ' Last.'],
    });
    const { problems, last, read } = await openReader();
    const { url, reply, message } = await ask();
    const before = await read({ url, stopAt: 'First' });
    expect(before.error).toBe('AbortError');
    expect(deltasOf(before.text)).toBe('First 😀.');
    first.open();
    await expect.poll(async () => (await reply()).text, { timeout: 30_000 }).toContain('Unheard');

    const resuming = read({ url, lastEventId: lastIdOf(before.text) });
    await expect.poll(() => deltasOf(last.text), { timeout: 30_000 }).toBe(' Unheard 😀.');
    second.open();
    const rest = await resuming;
    expect(typesOf(rest.text)).toMatch(/^start text-start( text-delta){2,} text-end finish$/);
    expect(dataOf(rest.text).at(-1)).toBe('[DONE]');
    const text = deltasOf(before.text) + deltasOf(rest.text);
    expect(text).toBe('First 😀. Unheard 😀. Last.');
    expect((await message())?.text).toBe(text);
    expect(problems).toEqual([]);
  });

  test('of a reader that goes away leave the reply as it is', async () => {
    const gate = gateOf();
    script = () => ({ steps: ['Half.', () => gate.opened, ' Whole.'] });
    const { page, last, read } = await openReader();
    const asked = service.models.streams.length;
    const { url, reply, message } = await ask();
    const reading = read({ url }).catch(() => 'closed');
    await expect.poll(() => deltasOf(last.text), { timeout: 30_000 }).toBe('Half.');
    const before = await reply();
    expect(before.status).toBe('running');
    expect(await leases()).not.toEqual([]);
    await page.close();
    expect(await reading).toBe('closed');
    await expect.poll(leases, { timeout: 30_000 }).toEqual([]);
    expect(await reply()).toEqual(before);
    gate.open();
    await expect.poll(async () => (await reply()).status, { timeout: 30_000 }).toBe('done');
    expect((await message())?.text).toBe('Half. Whole.');
    expect(service.models.streams).toHaveLength(asked + 1);
  });

  test('cannot be read by EventSource, which sends no key', async () => {
    const { page } = await openReader();
    const { url } = await ask();
    const refused = page.waitForResponse(url);
    const state = await page.evaluate(
      (address) =>
        new Promise<string>((resolve) => {
          const source = new EventSource(address);
          source.onmessage = () => resolve('message');
          source.onerror = () => resolve(source.readyState === source.CLOSED ? 'closed' : 'tries again');
        }),
      url,
    );
    expect([(await refused).status(), state]).toEqual([401, 'closed']);
  });
});
