/** The template for `sam local`, and the environment of its functions. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { synthesiseForSam } from '../../infra/sam.ts';
import { localModel } from '../../scripts/local/judge.ts';
import { extractModel } from '../../scripts/local/models.ts';
import { environment } from '../../scripts/sam.ts';

type Properties = { Architectures: string[]; Environment: { Variables: Record<string, unknown> } };

let folder: string;
let functions: [logicalId: string, Properties][];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sam-'));
  // Not the deployed architecture, which is arm64.
  const template = synthesiseForSam(folder, environment('8000', 'machine:key', 3001), 'x64');
  const { Resources } = JSON.parse(readFileSync(template, 'utf8')) as {
    Resources: Record<string, { Type: string; Properties: Properties }>;
  };
  functions = Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::Lambda::Function' ? [[id, Properties]] : [],
  );
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every function has DynamoDB Local, the tables and the model of npm run dev', () => {
  expect(functions.length).toBeGreaterThan(100);
  for (const [id, { Environment }] of functions) {
    const { AWS_ENDPOINT_URL_DYNAMODB, PROJECTS_TABLE, MODELS, LIMITS } = Environment.Variables;
    expect(AWS_ENDPOINT_URL_DYNAMODB, id).toBe('http://host.docker.internal:8000');
    expect(PROJECTS_TABLE, id).toMatch(/^dev/);
    expect(JSON.parse(String(MODELS)), id).toEqual([extractModel('http://127.0.0.1'), localModel]);
    expect(JSON.parse(String(LIMITS)), id).toMatchObject({ live: { quotas: { modelCostUsd: 10 } } });
  }
});

test('no variable is a reference, which SAM does not resolve', () => {
  for (const [id, { Environment }] of functions)
    for (const [name, value] of Object.entries(Environment.Variables))
      expect(value, `${id}: ${name}`).toEqual(expect.stringMatching(/\S/));
});

test('no variable is a credential, because SAM passes its own', () => {
  const names = new Set(functions.flatMap(([, { Environment }]) => Object.keys(Environment.Variables)));
  expect([...names].filter((name) => /KEY|TOKEN|SECRET/.test(name)).sort()).toEqual([
    'API_KEYS_TABLE',
    // Of this machine.
    'SECRETS_KEY',
  ]);
});

test('the containers have the architecture of the machine', () => {
  for (const [id, { Architectures }] of functions) expect(Architectures, id).toEqual(['x86_64']);
});
