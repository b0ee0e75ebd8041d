/** `npm run generate`: it writes what is stale, says which files, and changes nothing when it runs again. */

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replaceMarked } from '../../scripts/shared/markdown.ts';
import { type CopiedRepository, copyRepository } from '../support/copied-repository.ts';

let copy: CopiedRepository;
beforeAll(() => {
  copy = copyRepository();
});
afterAll(() => copy.remove());

const generate = (...args: string[]) => {
  const { status, stdout, stderr } = copy.run('node', 'scripts/generate.ts', ...args);
  return { status, stdout, stderr };
};
const current = { status: 0, stdout: 'Everything generated is up to date.\n', stderr: '' };

test('a stale file is named, then written, and then it is up to date', { tags: ['long'] }, () => {
  const [runbook, list] = [join(copy.folder, 'docs/runbook.md'), join(copy.folder, 'functions/index.ts')];
  const before = readFileSync(runbook, 'utf8');
  writeFileSync(runbook, before.replace('Writes the audit log.', 'Writes something.'));
  appendFileSync(list, '// by hand\n');
  const parts = ['index', 'documents'];
  const stale = readFileSync(runbook, 'utf8');
  expect(generate('--check', ...parts)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'Stale: functions/index.ts, docs/runbook.md. Run npm run generate and commit the result.\n',
  });
  expect(readFileSync(runbook, 'utf8')).toBe(stale);
  expect(generate(...parts).stdout).toBe('Changed: functions/index.ts, docs/runbook.md.\n');
  expect(readFileSync(runbook, 'utf8')).toBe(before);
  expect(generate(...parts)).toEqual(current);
});

test('what is committed of the parts that need no database and no bundles is up to date', () => {
  expect(generate('--check', 'index', 'openapi', 'items', 'documents')).toEqual(current);
});

test.each([
  ['--chekc', "Unknown option '--chekc'"],
  ['everything', 'There is no part everything.'],
])('%s is refused in one sentence, and nothing is written', (argument, sentence) => {
  const { status, stdout, stderr } = generate(argument);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(new RegExp(`^${sentence}[^\\n]*\nUsage: npm run generate`));
});

describe('a table between marks', () => {
  test('is replaced, and the rest of the text stays', () => {
    expect(replaceMarked('a <!-- t -->\n\nold\n\n<!-- /t --> b', 't', 'new')).toBe(
      'a <!-- t -->\n\nnew\n\n<!-- /t --> b',
    );
  });

  test('must have both marks', () => {
    expect(() => replaceMarked('<!-- t --> text', 't', 'new')).toThrow('no place for t');
  });
});
