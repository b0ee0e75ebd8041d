/** The id of an endpoint is the name of its file. Nothing that is stored or published may depend on it. */

import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { jobTypeNames } from '../../lib/jobs/types.ts';
import { root } from '../../scripts/shared/root.ts';

/** Types of jobs may have the name of an endpoint. */
const ids = endpoints.map(({ id }) => id).filter((id) => !(jobTypeNames as readonly string[]).includes(id));
const folders = new Set(ids.flatMap((id) => (id.includes('.') ? `${id.split('.')[0]}.` : [])));
const literals = [...ids.filter((id) => id.includes('.')), ...folders].map((text) => `'${text}'`);

test('no file of lib/ or workers/ names an endpoint by its id, but in examples', () => {
  const found = globSync('{lib,workers}/**/*.ts', { cwd: root }).flatMap((file) => {
    const code = readFileSync(resolve(root, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      .replace(/\bexample: '[^']*'|\bauditText\([^)]*\)/g, '');
    return literals.filter((literal) => code.includes(literal)).map((literal) => `${file} ${literal}`);
  });
  expect(found).toEqual([]);
});
