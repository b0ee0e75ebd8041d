/** The browser that tests, benchmarks and screenshots use. */

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Undefined if the machine has no Chromium. */
export const chromiumPath: string | undefined = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

/** @throws Error if there is no Chromium */
export async function launchChromium(): Promise<Browser> {
  if (!chromiumPath) throw new Error('There is no Chromium. Install it, or set CHROMIUM.');
  return chromium.launch({
    executablePath: chromiumPath,
    // Only the pages send requests.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
    ],
    // A busy machine starts it slowly.
    timeout: 120_000,
  });
}
