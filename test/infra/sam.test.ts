/** The template for `sam local`, and the environment of its functions. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { architectureOf, synthesiseForSam } from '../../infra/sam.ts';
import { localModel } from '../../scripts/local/judge.ts';
import { environment, localVariables } from '../../scripts/sam.ts';

type Resource = {
  Type: string;
  Properties: { Architectures?: string[]; Environment?: { Variables: Record<string, unknown> } };
};
type Functions = [logicalId: string, Resource['Properties']][];

const functionsOf = ({ Resources }: { Resources: Record<string, Resource> }): Functions =>
  Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
    Type === 'AWS::Lambda::Function' ? [[id, Properties]] : [],
  );

let folder: string;
let functions: Functions;

/** Not the deployed architecture, which is arm64. */
const machine = 'x64';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sam-'));
  const template = synthesiseForSam(folder, localVariables, machine);
  functions = functionsOf(JSON.parse(readFileSync(template, 'utf8')));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const declared = () =>
  functions.map(([id, { Environment }]) => [id, Object.keys(Environment?.Variables ?? {})] as const);

describe('the environment', () => {
  const { Parameters } = environment('8000', 'machine:key', 3001);

  test('points every function to DynamoDB Local on the host', () => {
    expect(Parameters.AWS_ENDPOINT_URL_DYNAMODB).toBe('http://host.docker.internal:8000');
    expect(functions.length).toBeGreaterThan(0);
    for (const [id, names] of declared()) expect(names, id).toContain('AWS_ENDPOINT_URL_DYNAMODB');
  });

  // SAM starts no function of a worker.
  test('has every variable that the template declares, besides the queues', () => {
    for (const [id, names] of declared()) {
      const needed = names.filter((name) => !/_(QUEUE|DEAD_LETTERS)$/.test(name));
      for (const name of needed) expect(Parameters[name], `${id}: ${name}`).toMatch(/\S/);
    }
  });

  test('has no variable that the template does not declare, because SAM would drop it', () => {
    const all = new Set(declared().flatMap(([, names]) => names));
    expect(Object.keys(Parameters).filter((name) => !all.has(name))).toEqual([]);
  });

  test('lists the model of npm run dev, whose workers ask it', () => {
    expect(JSON.parse(Parameters.MODELS ?? '')).toEqual([localModel]);
    expect(JSON.parse(Parameters.LIMITS ?? '')).toMatchObject({ live: { quotas: { modelCostUsd: 10 } } });
  });

  test('has no credentials, because SAM passes its own', () => {
    expect(Object.keys(Parameters).filter((name) => /KEY|TOKEN|SECRET/.test(name))).toEqual([
      'API_KEYS_TABLE',
      // Of this machine.
      'SECRETS_KEY',
    ]);
  });
});

test('the containers have the architecture of the machine', () => {
  for (const [id, { Architectures }] of functions) {
    expect(Architectures, id).toEqual(['x86_64']);
  }
  expect(['arm64', 'x64'].map(architectureOf)).toEqual(['arm64', 'x86_64']);
});
