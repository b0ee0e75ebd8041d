/**
 * `npm run screenshots` makes a picture of every page of the console, in both themes and at 390 px, in .local/screenshots/. It needs
 * Chromium. With `-- --docs`, it makes the pictures of the documents again, too.
 */

import { copyFileSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { Platform } from '../clients/typescript/src/index.ts';
import { startDevProcess } from '../scripts/local/dev-process.ts';
import { launchChromium } from '../scripts/shared/chromium.ts';
import { readOptions, UsageError } from '../scripts/shared/options.ts';
import { root } from '../scripts/shared/root.ts';
import { type Demo, fillDemo } from './demo.ts';
import { pages } from './src/pages/registry.ts';

const folder = resolve(root, '.local/screenshots');

/** The pictures in the documents, by the name of the page. */
const inDocuments: Readonly<Record<string, string>> = {
  'overview-light': 'overview.png',
  'conversation-dark': 'conversation.png',
  'deployments-light': 'deployments.png',
};

const views = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'phone', colorScheme: 'light', width: 390 },
] as const;

const usage = 'Usage: npm run screenshots [-- --docs]\n\n--docs   makes the pictures of the documents again';
const { docs } = options();
function options(): { docs?: boolean | undefined } {
  try {
    return readOptions({ docs: { type: 'boolean' } }, usage);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const browser = await launchChromium();
const { baseUrl, apiKey, stop } = await startDevProcess();
try {
  const demo = await fillDemo(new Platform({ baseUrl, apiKey }), Date.now());
  mkdirSync(folder, { recursive: true });
  for (const { name, colorScheme, width } of views) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 820 } });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/console`);
    await page.screenshot({ path: resolve(folder, `sign-in-${name}.png`) });
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    for (const { title, pattern } of pages) await take(page, title, addressOf(pattern, demo), name);
    await context.close();
  }
  if (docs) {
    mkdirSync(resolve(root, 'docs/console'), { recursive: true });
    for (const [from, to] of Object.entries(inDocuments))
      copyFileSync(resolve(folder, `${from}.png`), resolve(root, 'docs/console', to));
  }
  console.log(`The pictures are in ${folder}.`);
} finally {
  await browser.close();
  await stop();
}

async function take(page: Page, title: string, address: string | undefined, view: string): Promise<void> {
  if (!address) return;
  await page.goto(`${baseUrl}/console#${address}`);
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('main .loading'));
  // The page loads the code of plots, and draws them, a little later.
  await page.waitForTimeout(400);
  const name = title.toLowerCase().replaceAll(' ', '-');
  await page.screenshot({ path: resolve(folder, `${name}-${view}.png`) });
}

/** @returns the address of a page with ids of the demo; undefined if the demo lacks one of them */
function addressOf(pattern: string, demo: Demo): string | undefined {
  const ids: Readonly<Record<string, string>> = demo;
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, param = '']) => param);
  if (names.some((param) => !ids[param])) return undefined;
  return pattern.replace(/:(\w+)/g, (_, param: string) => ids[param] ?? '');
}
