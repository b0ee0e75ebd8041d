/** The files of the search's model. */

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { modelFolder } from '../../lib/search/semantic/encoder.ts';
import { wrongFiles } from '../../scripts/model.ts';

test('the files of the model have the hashes of the packages that they come from', () => {
  expect(wrongFiles()).toEqual([]);
});

test('a changed file and a missing one are found', () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(modelFolder, folder, { recursive: true });
  writeFileSync(join(folder, 'vocab.txt'), 'word');
  rmSync(join(folder, 'LICENSE'));
  expect(wrongFiles(folder)).toMatchObject(
    [/^vocab\.txt has the hash/, /^LICENSE has the hash \(no file\)/].map((pattern) =>
      expect.stringMatching(pattern),
    ),
  );
});
