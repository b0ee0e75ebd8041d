/** The time of the bundles and of `npm run synth`, and the sizes of the stacks. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { endpoints } from '../functions/index.ts';
import { stampFile } from '../scripts/bundle/bundle.ts';
import { removeStamp } from '../scripts/bundle/stamp.ts';
import { root } from '../scripts/shared/root.ts';
import { many } from './limits.ts';
import { stacksOf } from './stacks.ts';
import { median, progress, table } from './statistics.ts';

const runs = 5;

export async function synth(): Promise<string> {
  const output = mkdtempSync(join(tmpdir(), 'synth-'));
  const cdk = resolve(root, 'node_modules/.bin/cdk');
  const steps: [string, string, string[], boolean][] = [
    ['the bundles of all functions', process.execPath, [resolve(root, 'scripts/bundle/bundle.ts')], true],
    // Without notices, which need the network.
    [
      '`cdk synth`, with current bundles',
      cdk,
      ['synth', '--quiet', '--no-notices', '--output', output],
      false,
    ],
  ];
  const times = steps.map(([name, command, args, fromSources]) => {
    progress(`synth: ${name}`);
    const seconds = Array.from({ length: runs }, () => {
      if (fromSources) removeStamp({ stampFile });
      const begun = performance.now();
      execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
      return (performance.now() - begun) / 1000;
    });
    return [name, `${median(seconds).toFixed(1)} s`];
  });
  rmSync(output, { recursive: true });
  return [table(['step', 'time'], times), '', `Medians of ${runs}.`].join('\n');
}

/** Needs the functions' bundles. @returns the resources and the sizes of the stacks, by number of endpoints */
export function stackTable(): string {
  const sizes = [endpoints.length, many].map((count) => {
    const { templates } = stacksOf('prod', count);
    return new Map(
      [...templates].map(([name, template]) => [
        name,
        [Object.keys(template.Resources ?? {}).length, Math.ceil(JSON.stringify(template).length / 1000)],
      ]),
    );
  });
  const [now, grown] = sizes;
  const shown = (size: number[] | undefined) => (size ? `${size[0]}, ${size[1]} KB` : '');
  const others = [...(grown?.keys() ?? [])].filter((name) => !now?.has(name));
  const rows = [...(now ?? [])].map(([name, size]) => [`\`${name}\``, shown(size), shown(grown?.get(name))]);
  const largest = others
    .map((name) => grown?.get(name))
    .sort((a = [], b = []) => (b[0] ?? 0) - (a[0] ?? 0))[0];
  return table(
    ['stack', `${endpoints.length} endpoints`, `${many} endpoints`],
    [...rows, [`${others.length} others, the largest`, '', shown(largest)]],
  );
}
