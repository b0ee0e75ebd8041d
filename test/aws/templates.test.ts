/** What other tools say of the templates. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configOf, stages } from '../../infra/config.ts';
import { PlatformStack } from '../../infra/stack.ts';
import { commandOf } from '../../scripts/aws/tools.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'templates-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the template's path */
function synthesise(stage: string): string {
  const outdir = join(folder, stage);
  const app = new App({ outdir });
  new PlatformStack(app, 'Platform', { config: configOf(stage) });
  app.synth();
  return join(outdir, 'Platform.template.json');
}

const run = (command: string, args: string[]) =>
  new Promise<{ code: number; output: string }>((done) => {
    execFile(command, args, (error, stdout, stderr) =>
      done({ code: (error?.code as number | undefined) ?? 0, output: stdout + stderr }),
    );
  });

test.each(Object.keys(stages))(
  'cfn-lint finds nothing in %s',
  async (stage) => {
    // W3005: CDK names a function's role among its dependencies although the role's ARN says so already.
    const { code, output } = await run(commandOf('cfn-lint'), [
      '--ignore-checks',
      'W3005',
      '--',
      synthesise(stage),
    ]);
    expect(output.trim()).toBe('');
    expect(code).toBe(0);
  },
  180_000,
);
