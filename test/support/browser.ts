/** Tests in Chromium. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../../scripts/shared/chromium.ts';

export const hasBrowser: boolean = chromiumPath !== undefined;

/** The title of a group of tests that needs a browser. */
export const inBrowser = (title: string): string =>
  `${title}${hasBrowser ? '' : ' (skipped: no Chromium; apt-get install chromium, or set CHROMIUM)'}`;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @returns the findings of axe, with the elements */
export async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Without the details of what is right, it takes half the time.
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}
