/** The templates, checked by other tools. */

import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { configOf, stageNames } from '../../infra/config.ts';
import { synthesiseForSam } from '../../infra/sam.ts';
import { addStacks } from '../../infra/stacks.ts';
import { environment } from '../../scripts/sam.ts';
import { commandOf, environmentOf } from '../../scripts/shared/tools.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'templates-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the paths of the templates */
function synthesise(stage: string): string[] {
  const outdir = join(folder, stage);
  const app = new App({ outdir });
  addStacks(app, configOf(stage));
  app.synth();
  return globSync(join(outdir, '*.template.json'));
}

const run = (command: string, args: string[]) =>
  new Promise<{ code: number; output: string }>((done) => {
    const env = { ...process.env, AWS_DEFAULT_REGION: 'us-east-1', SAM_CLI_TELEMETRY: '0' };
    execFile(command, args, { env }, (error, stdout, stderr) =>
      done({ code: (error?.code as number | undefined) ?? 0, output: stdout + stderr }),
    );
  });

// Each template takes half a minute. At each change, test/infra/app.test.ts runs CDK's own checks.
test.each(stageNames())('cfn-lint finds nothing in %s', { tags: ['nightly'] }, async (stage) => {
  // W3005: CDK lists a function's role as a dependency, although the role's ARN implies it.
  const ignored = ['--ignore-checks', 'W3005'];
  const { code, output } = await run(commandOf('cfn-lint'), [...ignored, '--', ...synthesise(stage)]);
  expect(output.trim()).toBe('');
  expect(code).toBe(0);
});

// Its installation and its parser take two minutes. test/infra/sam.test.ts checks the template at each change.
describe('for sam local', { tags: ['nightly'] }, () => {
  let template: string;
  beforeAll(() => {
    template = synthesiseForSam(join(folder, 'sam'), environment('8000', 'machine:key', 3001));
  });

  test('passes sam validate', async () => {
    const { code, output } = await run(commandOf('sam'), ['validate', '--template', template]);
    expect([code, output]).toEqual([0, expect.stringContaining('is a valid SAM Template')]);
  });

  test('gives SAM every route, with its function and bundle', async () => {
    const { code, output } = await run(join(environmentOf('sam'), 'bin/python'), [
      resolve('test/support/sam_routes.py'),
      template,
    ]);
    expect(code, output).toBe(0);
    const routes = JSON.parse(output.trim().split('\n').at(-1) ?? '') as [string, string, string][];
    const { Resources } = JSON.parse(readFileSync(template, 'utf8')) as {
      Resources: Record<
        string,
        { Properties: { Description: string; FunctionName?: string }; Metadata: Record<string, string> }
      >;
    };
    const read = routes.map(([method, path, name]) => {
      // SAM looks a function up by its name, too.
      const { Properties, Metadata } = Object.values(Resources).find(
        ({ Properties: { FunctionName } }) => FunctionName === name,
      ) ?? { Properties: { Description: '' }, Metadata: {} };
      const bundled = existsSync(join(folder, 'sam', Metadata['aws:asset:path'] ?? '', 'index.mjs'));
      return [`${method} ${path}`, Properties.Description.split(':')[0], bundled];
    });
    const declared = endpoints.map(({ method, path }) => [
      `${method} /api/v1${path}`,
      `${method} ${path}`,
      true,
    ]);
    expect(read.sort()).toEqual(declared.sort());
    // The first use installs SAM.
  }, 600_000);
});
