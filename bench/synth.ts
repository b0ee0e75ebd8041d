/** The time of `npm run synth`, and the sizes of the stacks. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stageNames } from '../infra/config.ts';
import { bundle } from '../scripts/bundle/bundle.ts';
import { root } from '../scripts/shared/root.ts';
import { stackOf } from './stack.ts';
import { median, progress, table } from './statistics.ts';

const runs = 5;

/** "CloudFormation quotas", and "Quotas for configuring and running a REST API in API Gateway". */
const largest = { resources: 500, paths: 300, templateKilobytes: 1000 };

export async function synth(): Promise<string> {
  const output = mkdtempSync(join(tmpdir(), 'synth-'));
  const cdk = resolve(root, 'node_modules/.bin/cdk');
  const steps: [string, string, string[]][] = [
    ['the bundles of all functions', process.execPath, [resolve(root, 'scripts/bundle/bundle.ts')]],
    // Without notices, which need the network.
    ['`cdk synth`', cdk, ['synth', '--quiet', '--no-notices', '--output', output]],
  ];
  const times = steps.map(([name, command, args]) => {
    progress(`synth: ${name}`);
    const seconds = Array.from({ length: runs }, () => {
      const begun = performance.now();
      execFileSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
      return (performance.now() - begun) / 1000;
    });
    return [name, `${median(seconds).toFixed(1)} s`];
  });
  rmSync(output, { recursive: true });
  return [table(['step', 'time'], times), '', `Medians of ${runs}.`].join('\n');
}

/** The sizes of the stacks, compared with the limits of CloudFormation and API Gateway. */
export async function stacks(): Promise<string> {
  await bundle();
  return stackTable();
}

/** Needs the functions' bundles. */
export function stackTable(): string {
  const rows = stageNames().map((stage) => {
    const { resources, templateBytes } = stackOf(stage);
    const paths = resources.filter(({ Type }) => Type === 'AWS::ApiGateway::Resource').length;
    return [
      `\`PlatformApi-${stage}\``,
      `${resources.length} of ${largest.resources}`,
      `${paths} of ${largest.paths}`,
      `${(templateBytes / 1000).toFixed(0)} of ${largest.templateKilobytes} KB`,
    ];
  });
  return table(['stack', 'resources', 'paths of the API', 'template'], rows);
}
