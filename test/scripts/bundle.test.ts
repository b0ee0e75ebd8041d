/** What goes into a function, held against the cold path's budget. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { outputFolder } from '../../scripts/bundle.ts';

const meta = JSON.parse(readFileSync(resolve(outputFolder, '../meta.json'), 'utf8')) as Metafile;

describe.each(endpoints.map(({ id }) => id))('%s', (id) => {
  const output = () => {
    const found = meta.outputs[`dist/functions/${id}/index.mjs`];
    if (!found) throw new Error(`${id} has no bundle`);
    return found;
  };

  test('has at most 310 KB', () => {
    expect(output().bytes).toBeLessThanOrEqual(310_000);
  });

  test('imports no builtin statically: node:http that way loads undici', () => {
    const statically = output().imports.filter(({ kind }) => kind === 'import-statement');
    expect(statically.map(({ path }) => path).filter((path) => path !== './openapi.json')).toEqual([]);
  });

  test.each([
    ["zod's locales but English", /zod\/.*\/locales\/(?!en\.|index\.)/],
    ["JSON Schema's generator", /zod\/.*json-schema/],
    [
      'credential providers but the environment',
      /credential-provider-(?!env\/)|client-sso|client-sts|nested-clients|token-providers/,
    ],
    ["what reads the operator's profile", /fs\/promises|loadSsoSessionData/],
    ['the AWS SDK of another service', /client-(?!dynamodb\/|mock)[a-z-]+\/dist/],
    ['anything of the tools', /aws-cdk|vitest|esbuild|scripts\/|infra\/|test\//],
  ])('has nothing of %s', (_, pattern) => {
    const inputs = Object.entries(output().inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 60)
      .map(([path]) => path);
    expect(inputs.filter((path) => pattern.test(path))).toEqual([]);
  });
});
