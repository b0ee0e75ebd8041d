/**
 * What the console loads, next to the console of Temporal (its published Go module), and how long a browser needs: to the first
 * page, and from an input to the next picture, with a processor that is four times slower.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { Platform } from '../clients/typescript/src/index.ts';
import { fillDemo } from '../console/demo.ts';
import { consoleFolder } from '../lib/http/page-folders.ts';
import { ensureConsole } from '../scripts/console/build.ts';
import { closureOf, consoleSizes, kilobytesOf } from '../scripts/console/sizes.ts';
import { startDevProcess } from '../scripts/local/dev-process.ts';
import { launchChromium } from '../scripts/shared/chromium.ts';
import { budgets, type Findings } from './budgets.ts';
import { median, progress, table } from './statistics.ts';

const rounds = 9;
const slowdown = 4;
const temporal = { module: 'github.com/temporalio/ui-server/v2', version: 'v2.45.0' } as const;
const rows = 10_000;

export async function consolePages(): Promise<Findings> {
  await ensureConsole();
  const { first, pages } = consoleSizes(consoleFolder);
  const sizes = [
    ['the sign-in and the list of projects', `${(first + (pages[0]?.kilobytes ?? 0)).toFixed(1)} KB`],
    [
      '… of this, before the first page shows',
      `${first.toFixed(1)} KB (budget: ${budgets.consoleKilobytes} KB)`,
    ],
    ...pages.slice(1).map(({ pattern, kilobytes }) => [`\`#${pattern}\` adds`, `${kilobytes.toFixed(1)} KB`]),
    [`the console of Temporal ${temporal.version}: the files that its HTML names`, temporalSize()],
  ];
  return {
    text: table(['what', 'gzip'], sizes),
    budgeted: [
      { budget: 'consoleKilobytes', what: 'the console before its first page, in KB', value: first },
    ],
  };
}

/** How long a browser needs. */
export async function consoleTimes(): Promise<Findings> {
  const times = await measureTimes();
  return {
    text: table(
      ['with a processor that is four times slower', 'median', 'slowest'],
      times.map(({ what, all }) => [
        what,
        `${median(all).toFixed(0)} ms`,
        `${Math.max(...all).toFixed(0)} ms`,
      ]),
    ),
    budgeted: times
      .filter(({ isInteraction }) => isInteraction)
      .map(({ what, all }) => ({
        budget: 'consoleInteractionMs' as const,
        what: `the console: ${what}, in ms`,
        value: median(all),
      })),
  };
}

/** The first page loads what its HTML names, and what these files import. */
function temporalSize(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-temporal-'));
  try {
    execFileSync('go', ['mod', 'init', 'example'], { cwd: folder, stdio: 'pipe' });
    const name = `${temporal.module}@${temporal.version}`;
    const { Dir } = JSON.parse(
      execFileSync('go', ['mod', 'download', '-json', name], { cwd: folder, encoding: 'utf8' }),
    ) as { Dir: string };
    const assets = resolve(Dir, 'ui/assets/local');
    const read = (file: string) => readFileSync(resolve(assets, file), 'utf8');
    const page = read('index.html');
    const named = [...page.matchAll(/"\/(_app\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file);
    return `${kilobytesOf(closureOf(['index.html', ...named], read), read).toFixed(1)} KB`;
  } catch (error) {
    return `not measured: ${(error as Error).message.split('\n')[0]}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Time = { what: string; all: number[]; isInteraction: boolean };

async function measureTimes(): Promise<Time[]> {
  const browser = await launchChromium();
  const { baseUrl, apiKey, stop } = await startDevProcess();
  const times = new Map<string, Time>();
  const add = (what: string, isInteraction: boolean, value: number) => {
    const time = times.get(what) ?? { what, all: [], isInteraction };
    time.all.push(value);
    times.set(what, time);
  };
  try {
    const { project } = await fillDemo(new Platform({ baseUrl, apiKey }), Date.now());
    for (let round = 0; round <= rounds; round += 1) {
      progress(`console: round ${round} of ${rounds}`);
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      const measured = await visit(page, baseUrl, apiKey, project);
      // The first round builds the pages.
      if (round > 0) for (const { what, isInteraction, value } of measured) add(what, isInteraction, value);
      await context.close();
    }
  } finally {
    await browser.close();
    await stop();
    progress('');
  }
  return [...times.values()];
}

async function visit(page: Page, baseUrl: string, apiKey: string, project: string) {
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
  const startMs = performance.now();
  await page.goto(`${baseUrl}/console`);
  await page.getByLabel('API key').waitFor();
  const loadMs = performance.now() - startMs;
  await page.getByLabel('API key').fill(apiKey);
  const signInMs = performance.now();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  const signedInMs = performance.now() - signInMs;

  const results = [
    { what: 'to the sign-in page', isInteraction: false, value: loadMs },
    { what: 'from the key to the list of projects', isInteraction: false, value: signedInMs },
  ];
  const interaction = async (what: string, act: () => Promise<void>) => {
    await page.evaluate(observe);
    await act();
    await page.waitForTimeout(150);
    results.push({
      what,
      isInteraction: true,
      value: Number(await page.evaluate('Math.max(0, ...window.durations)')),
    });
  };
  /** What people do on every page, whatever is on it. */
  const everywhere = async (where: string) => {
    await interaction(`Ctrl+K opens the palette${where}`, () => page.keyboard.press('Control+k'));
    await interaction(`typing in the palette${where}`, () => page.keyboard.type('over', { delay: 60 }));
    await interaction(`the palette closes${where}`, () => page.keyboard.press('Escape'));
    await interaction(`a dialog opens${where}`, () =>
      page.getByRole('button', { name: 'New project' }).click(),
    );
    await interaction(`a dialog closes${where}`, () => page.keyboard.press('Escape'));
  };
  const listed = (count: number) => page.getByText(`${count.toLocaleString('en')} shown`);
  await listed(100).waitFor();
  await everywhere('');
  const longStartMs = performance.now();
  await page.goto(`${baseUrl}/console#/?page=${rows / 100}`);
  await listed(rows).waitFor({ timeout: 120_000 });
  results.push({
    what: `a link to a list of ${rows.toLocaleString('en')} rows, in ${rows / 100} requests`,
    isInteraction: false,
    value: performance.now() - longStartMs,
  });
  const below = `, ${rows.toLocaleString('en')} rows listed`;
  await everywhere(below);
  await interaction(`"Show more"${below}`, () => page.getByRole('button', { name: 'Show more' }).click());
  await listed(rows + 100).waitFor();
  await page.goto(`${baseUrl}/console#/projects/${project}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await interaction('another page from the menu', () =>
    page.getByRole('link', { name: 'Jobs', exact: true }).click(),
  );
  return results;
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
