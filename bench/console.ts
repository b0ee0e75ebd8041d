/**
 * What the console loads, and how long a browser needs: to the first page, and from an input to the next picture, with a processor
 * that is four times slower.
 */

import type { Page } from 'playwright-core';
import { Platform } from '../clients/typescript/src/index.ts';
import { fillDemo } from '../console/demo.ts';
import { consoleFolder } from '../lib/http/page-folders.ts';
import { consoleSizes } from '../measures/console-sizes.ts';
import { ensureConsole } from '../scripts/console/build.ts';
import { startDevProcess } from '../scripts/local/dev-process.ts';
import { launchChromium } from '../scripts/shared/chromium.ts';
import { budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { inTurn } from './rounds.ts';
import { count, median, spread } from './statistics.ts';

const rounds = 9;
const slowdown = 4;
const lengths = [100, 10_000] as const;

type Length = (typeof lengths)[number];
type Time = { what: string; length: Length; isInteraction: boolean; ms: number };

export async function consolePages(): Promise<Findings> {
  await ensureConsole();
  const { first, pages } = consoleSizes(consoleFolder);
  const [list, ...others] = pages.map(({ kilobytes }) => kilobytes);
  const times = Object.values(Object.groupBy(await measureTimes(), ({ what }) => what));
  const kb = (kilobytes: number) => kilobytes.toFixed(1);
  return {
    head: ['', ...lengths.map((length) => `${count(length)} rows listed`)],
    rows: times.map((all = []) => [
      all[0]?.what ?? '',
      ...lengths.map((length) => {
        const own = all.filter((time) => time.length === length);
        return own.length === 0
          ? ''
          : spread(
              own.map(({ ms }) => ms),
              'ms',
              0,
            );
      }),
    ]),
    notes:
      `In Chromium, with a processor that is ${slowdown} times slower; from an input to the next picture, in steps of 8 ms (budget: ` +
      `${budgets.consoleInteractionMs} ms). Before the first page shows, the browser loads ${kb(first)} KB after gzip (budget: ` +
      `${budgets.consoleKilobytes} KB), with the list of projects ${kb(first + (list ?? 0))} KB. Each other page adds ` +
      `${kb(Math.min(...others))} to ${kb(Math.max(...others))} KB.`,
    rounds: `${rounds} rounds, each in a new browser context`,
    budgeted: [
      { budget: 'consoleKilobytes', what: 'the console before its first page, in KB', value: first },
      ...times.flatMap((all = []) =>
        lengths.flatMap((length) => {
          const own = all.filter((time) => time.isInteraction && time.length === length);
          const what = `the console: ${own[0]?.what}, ${length} rows, in ms`;
          const value = median(own.map(({ ms }) => ms));
          return own.length === 0 ? [] : [{ budget: 'consoleInteractionMs' as const, what, value }];
        }),
      ),
    ],
  };
}

async function measureTimes(): Promise<Time[]> {
  const browser = await launchChromium();
  const { baseUrl, apiKey, stop } = await startDevProcess();
  try {
    const { project } = await fillDemo(new Platform({ baseUrl, apiKey }), Date.now());
    const { visits } = await inTurn(
      {
        async visits() {
          const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
          const page = await context.newPage();
          const session = await context.newCDPSession(page);
          await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
          const times = await visit(page, baseUrl, apiKey, project);
          await context.close();
          return times;
        },
      },
      { what: 'console', rounds },
    );
    return visits.flat();
  } finally {
    await browser.close();
    await stop();
  }
}

async function visit(page: Page, baseUrl: string, apiKey: string, project: string): Promise<Time[]> {
  // A list without an end.
  await page.route('**/api/v1/projects?*', async (route) => {
    const url = new URL(route.request().url());
    const at = Number(url.searchParams.get('cursor') ?? 0);
    const items = Array.from({ length: 100 }, (_, index) => ({
      id: `proj_${String(at + index).padStart(26, '0')}`,
      name: `Project ${at + index}`,
      status: 'active',
      updatedAt: '2026-03-01T09:30:00.000Z',
    }));
    await route.fulfill({ json: { success: true, data: { items, nextCursor: String(at + 100) } } });
  });
  const times: Time[] = [];
  const timed = async (what: string, length: Length, act: () => Promise<unknown>) => {
    const begunMs = performance.now();
    await act();
    times.push({ what, length, isInteraction: false, ms: performance.now() - begunMs });
  };
  const interaction = async (what: string, length: Length, act: () => Promise<void>) => {
    await page.evaluate(observe);
    await act();
    await page.waitForTimeout(150);
    const ms = Number(await page.evaluate('Math.max(0, ...window.durations)'));
    times.push({ what, length, isInteraction: true, ms });
  };
  const { keyboard } = page;
  const button = (name: string) => page.getByRole('button', { name });
  /** What people do on every page, whatever is on it. */
  const everywhere = async (length: Length) => {
    await interaction('Ctrl+K opens the palette', length, () => keyboard.press('Control+k'));
    await interaction('typing in the palette', length, () => keyboard.type('over', { delay: 60 }));
    await interaction('the palette closes', length, () => keyboard.press('Escape'));
    await interaction('a dialog opens', length, () => button('New project').click());
    await interaction('a dialog closes', length, () => keyboard.press('Escape'));
  };
  const listed = (length: number) => page.getByText(`${count(length)} shown`).waitFor({ timeout: 120_000 });
  const [few, many] = lengths;
  await timed('the sign-in page', few, async () => {
    await page.goto(`${baseUrl}/console`);
    await page.getByLabel('API key').waitFor();
  });
  await page.getByLabel('API key').fill(apiKey);
  await timed('from the key to the list of projects', few, async () => {
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  });
  await listed(few);
  await everywhere(few);
  await timed('a link to the whole list, in 100 requests', many, async () => {
    await page.goto(`${baseUrl}/console#/?page=${many / few}`);
    await listed(many);
  });
  await everywhere(many);
  await interaction('"Show more"', many, () => button('Show more').click());
  await listed(many + few);
  await page.goto(`${baseUrl}/console#/projects/${project}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await interaction('another page from the menu', few, () =>
    page.getByRole('link', { name: 'Jobs', exact: true }).click(),
  );
  return times;
}

/**
 * Event Timing: from the input to the next picture, in steps of 8 ms (https://w3c.github.io/event-timing). Only clicks and keys count
 * as interactions: a page that moves below the pointer is none.
 */
const observe = `
  window.durations = [];
  window.timings?.disconnect();
  window.timings = new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries()) if (interactionId) window.durations.push(duration);
  });
  window.timings.observe({ type: 'event', durationThreshold: 16 });`;
