/** The stacks as CloudFormation receives them. Needs the functions' bundles. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { configOf } from '../infra/config.ts';
import { PlatformStack } from '../infra/stack.ts';

export type Resource = { Type: string; Properties?: Record<string, unknown> };

type Synthesised = { resources: Resource[]; templateBytes: number };

const made = new Map<string, Synthesised>();

/** @returns a stage's resources and the size of its template. Cached, because it takes seconds */
export function stackOf(stage: string): Synthesised {
  const known = made.get(stage) ?? synthesise(stage);
  made.set(stage, known);
  return known;
}

function synthesise(stage: string): Synthesised {
  const outdir = mkdtempSync(join(tmpdir(), 'stack-'));
  try {
    const app = new App({ outdir });
    const stack = new PlatformStack(app, `PlatformApi-${stage}`, { config: configOf(stage) });
    const { template } = app.synth().getStackByName(stack.stackName);
    return { resources: Object.values(template.Resources), templateBytes: JSON.stringify(template).length };
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
