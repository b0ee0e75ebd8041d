/** The console in a browser, against a dev server with real data. */

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { Platform } from '../../clients/typescript/src/index.ts';
import { newDatabase, removeTables } from '../../samples/tables.ts';
import { startDevProcess } from '../../scripts/local/dev-process.ts';
import { launchChromium } from '../../scripts/shared/chromium.ts';
import { axeFindings } from './browser.ts';

export type Opened = {
  page: Page;
  /** What went wrong in the page: errors, refused requests, requests to other origins. Statuses of the API are not in it. */
  problems: string[];
};

export type ConsoleServer = {
  baseUrl: string;
  apiKey: string;
  testApiKey: string;
  /** The issuer of the tokens of a job in CI. */
  issuer: string;
  /** @returns a token of a job in CI */
  ciToken: (audience: string) => Promise<string>;
  /** With the root key. */
  platform: Platform;
  /** Opens an address of the console, signed in with a key; null does not sign in. */
  open: (address: string, key?: string | null, options?: BrowserContextOptions) => Promise<Opened>;
  /** What the dev server has printed since it was ready. */
  log: () => string;
  stop: () => Promise<void>;
};

/** Starts a dev server and a browser. */
export async function openConsole(): Promise<ConsoleServer> {
  let log = '';
  const database = newDatabase(inject('dynamodbEndpoint'));
  const onLog = (text: string) => {
    log += text;
  };
  const dev = await startDevProcess({ onLog, database });
  const { baseUrl, apiKey, testApiKey, issuer, stop } = dev;
  const browser = await launchChromium();
  const open = openerOf(browser, baseUrl, apiKey);
  return {
    baseUrl,
    apiKey,
    testApiKey,
    issuer,
    async ciToken(audience) {
      const headers = { Authorization: `Bearer ${dev.ACTIONS_ID_TOKEN_REQUEST_TOKEN}` };
      const response = await fetch(`${dev.ACTIONS_ID_TOKEN_REQUEST_URL}&audience=${audience}`, { headers });
      return ((await response.json()) as { value: string }).value;
    },
    platform: new Platform({ baseUrl, apiKey }),
    open,
    log: () => log,
    async stop() {
      await browser.close();
      await stop();
      await removeTables(database);
    },
  };
}

/**
 * @param apiKey the key to sign in with, where none is named
 * @returns what opens an address of the console of a service
 */
export function openerOf(browser: Browser, baseUrl: string, apiKey: string): ConsoleServer['open'] {
  const fileLinks = `${new URL(baseUrl).origin}/files/`;
  return async (address, key = apiKey, options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    // Open pages go on polling.
    onTestFinished(() => context.close());
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      const isStatus = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isStatus) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      const isAllowed = [baseUrl, fileLinks, 'data:'].some((start) => request.url().startsWith(start));
      if (!isAllowed) problems.push(`requests ${request.url()}`);
    });
    await page.goto(`${baseUrl}/console#${address}`);
    if (key !== null) await signIn(page, key);
    return { page, problems };
  };
}

export async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Platform', exact: true }).waitFor();
}

/** Opens another page of the console, and waits until it has replaced the page before it. */
export async function goTo(page: Page, address: string): Promise<void> {
  const [origin, open] = page.url().split('#');
  if (open === address) return;
  await page.locator('main h1').first().waitFor();
  await page.evaluate(`document.querySelector('main h1').dataset.old = ''`);
  await page.goto(`${origin}#${address}`);
  await page.locator('main h1:not([data-old])').first().waitFor();
}

/** @returns the findings in the dark theme, and in the light theme on a narrow screen; each names where it was found */
export async function findingsEverywhere(page: Page): Promise<string[]> {
  // A page that still loads has no heading. If none appears, axe finds it missing.
  await page
    .getByRole('heading', { level: 1 })
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => {});
  const found: string[] = [];
  const check = async (name: string) => {
    for (const finding of await axeFindings(page)) found.push(`${name}: ${finding}`);
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  await check('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await check('light, 390 px');
  const width = await page.evaluate('document.documentElement.scrollWidth');
  if (Number(width) > 390) found.push(`390 px: the page is ${width} px wide`);
  if (size) await page.setViewportSize(size);
  return found;
}
