/** cdk-nag's AWS Solutions and Serverless packs find nothing except what infra/acknowledgements.ts lists. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { beforeAll, expect, test } from 'vitest';
import { configOf, type StageConfig, stageNames } from '../../infra/config.ts';
import { addStacks } from '../../infra/stacks.ts';
import { fetchPackage } from '../../scripts/shared/fetched-packages.ts';

type Report = {
  pluginReports: {
    summary?: unknown;
    violations: { ruleName: string; violatingConstructs: { constructPath: string }[] }[];
  }[];
};

beforeAll(() => fetchPackage('cdk-nag'));

async function findings(config: StageConfig): Promise<string[]> {
  const { AwsSolutionsChecks, ServerlessChecks } = await import('cdk-nag');
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  const app = new App({ outdir });
  addStacks(app, config);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  Validations.of(app).addPlugins(new ServerlessChecks(app));
  try {
    app.synth();
  } catch {
    // A finding fails the synthesis. The report names it.
  }
  const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')) as Report;
  rmSync(outdir, { recursive: true });
  expect(report.pluginReports).toHaveLength(2);
  return report.pluginReports.flatMap(({ violations }) =>
    violations.map(({ ruleName, violatingConstructs: [first] }) => `${ruleName} at ${first?.constructPath}`),
  );
}

// The test below has all that these have.
test.each(stageNames())('%s', { tags: ['nightly'] }, async (stage) => {
  expect(await findings(configOf(stage))).toEqual([]);
});

test('prod with a key of its own, a custom domain, backups and models', { tags: ['long'] }, async () => {
  const arn = (rest: string) => `arn:aws:${rest}`;
  const config = configOf('prod', {
    'tables.customerManagedKey': 'true',
    models: JSON.stringify([
      { id: 'amazon.nova-lite-v1:0', inputUsdPerMillionTokens: 0.06, outputUsdPerMillionTokens: 0.24 },
    ]),
    'limits.live.quotas.modelCostUsd': '100',
    'limits.test.quotas.modelCostUsd': '1',
    backup: JSON.stringify({
      keepDays: 35,
      copyToVaultArn: arn('backup:eu-central-1:210987654321:backup-vault:copies'),
    }),
    customDomain: JSON.stringify({
      domainName: 'api.example.com',
      certificateArn: arn('acm:eu-central-1:123456789012:certificate/a'),
      basePath: 'api',
      closeExecuteApi: true,
    }),
  });
  expect(await findings(config)).toEqual([]);
});
