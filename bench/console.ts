/**
 * What the console loads, next to the console of Temporal (its published Go module), and how long a browser needs: to the first
 * page, and from an input to the next picture, with a processor that is four times slower.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { Platform } from '../clients/typescript/src/index.ts';
import { fillDemo } from '../console/demo.ts';
import { consoleFolder } from '../lib/http/page-folders.ts';
import { ensureConsole } from '../scripts/console/build.ts';
import { closureOf, consoleSizes, kilobytesOf } from '../scripts/console/sizes.ts';
import { startDevProcess } from '../scripts/local/dev-process.ts';
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
  const executablePath = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    existsSync,
  );
  if (!executablePath) throw new Error('There is no Chromium. Install it, or set CHROMIUM.');
  const { baseUrl, apiKey, stop } = await startDevProcess();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
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
  // A list that is as long as the API can return it, page by page.
  await page.route('**/api/v1/projects?*', async (route) => {
    const url = new URL(route.request().url());
    const at = Number(url.searchParams.get('cursor') ?? 0);
    const items = Array.from({ length: 100 }, (_, index) => ({
      id: `proj_${String(at + index).padStart(26, '0')}`,
      name: `Project ${at + index}`,
      status: 'active',
      updatedAt: '2026-03-01T09:30:00.000Z',
    }));
    const next = at + 100 < rows ? String(at + 100) : null;
    await route.fulfill({ json: { success: true, data: { items, nextCursor: next } } });
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
  await interaction('Ctrl+K opens the palette', () => page.keyboard.press('Control+k'));
  await interaction('typing in the palette', () => page.keyboard.type('over', { delay: 60 }));
  await page.keyboard.press('Escape');
  await interaction('a dialog opens', () => page.getByRole('button', { name: 'New project' }).click());
  await page.keyboard.press('Escape');
  await page.goto(`${baseUrl}/console#/?page=${rows / 100 - 1}`);
  await page.getByText(`${(rows - 100).toLocaleString('en')} shown`).waitFor({ timeout: 120_000 });
  await interaction(`"Show more" below ${(rows - 100).toLocaleString('en')} rows`, () =>
    page.getByRole('button', { name: 'Show more' }).click(),
  );
  await page.goto(`${baseUrl}/console#/projects/${project}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await interaction('another page from the menu', () =>
    page.getByRole('link', { name: 'Jobs', exact: true }).click(),
  );
  return results;
}

/** Event Timing: from the input to the next picture, in steps of 8 ms (https://w3c.github.io/event-timing). */
const observe = `
  window.durations = [];
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.durations.push(duration); })
    .observe({ type: 'event', durationThreshold: 16 });`;
