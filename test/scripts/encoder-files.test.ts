/** What the functions with the encoder have beside their code. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { buildOptions, leanPlugins, outputFolder, withEncoder } from '../../scripts/bundle/bundle.ts';
import { machineOf, putEncoderFiles } from '../../scripts/bundle/encoder-files.ts';
import { deployedMachine, localMachine } from '../../scripts/shared/machines.ts';
import { root } from '../../scripts/shared/root.ts';
import { workers } from '../../workers/index.ts';

const temporary = mkdtempSync(join(tmpdir(), 'encoder-'));
afterAll(() => rmSync(temporary, { recursive: true }));

/** @returns the files of a folder, by their paths in it, with their sizes */
const filesOf = (folder: string): Record<string, number> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => [path, statSync(join(folder, path))] as const)
      .filter(([, stats]) => stats.isFile())
      .map(([path, { size }]) => [path, size]),
  );

const meta = JSON.parse(readFileSync(resolve(outputFolder, '../meta.json'), 'utf8')) as Metafile;

test('only the functions that search or index documents, or answer with them, contain it', () => {
  const allowed = ['knowledge.search', 'knowledge.evaluate', 'knowledge-indexer', 'reply-runner'];
  expect(withEncoder(meta).filter((id) => !allowed.includes(id))).toEqual([]);
  const having = readdirSync(outputFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(onnx|node|so\.1)$/.test(path))
    .map((path) => path.split('/')[0]);
  expect(new Set(having)).toEqual(new Set(withEncoder(meta)));
});

test('an emulated account runs the functions on this machine, and Lambda on arm64', () => {
  expect(machineOf({ AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' })).toBe(localMachine);
  expect(machineOf({})).toBe(deployedMachine);
});

test('they have a whole core, which Lambda provides from 1769 MB on', () => {
  const having = [...endpoints, ...workers].filter(({ id }) => withEncoder(meta).includes(id));
  expect(having.filter(({ memoryMb }) => memoryMb < 1769)).toEqual([]);
});

test('for Lambda, it has the libraries of arm64 only, and is below the limits', { tags: ['nightly'] }, () => {
  const folder = join(temporary, 'deployed');
  putEncoderFiles(folder, deployedMachine);
  const files = filesOf(folder);
  const libraries = Object.keys(files).filter((path) => path.includes('/bin/'));
  const place = 'node_modules/onnxruntime-node/bin/napi-v6/linux/arm64';
  expect(libraries.sort()).toEqual([`${place}/libonnxruntime.so.1`, `${place}/onnxruntime_binding.node`]);
  const unzipped = Object.values(files).reduce((sum, size) => sum + size, 0);
  // Lambda allows 250 MB ("Lambda quotas"). What is smaller starts sooner.
  expect(unzipped).toBeLessThan(60_000_000);
  const zipped = zipSync(
    Object.fromEntries(Object.keys(files).map((path) => [path, readFileSync(join(folder, path))])),
    { level: 6 },
  );
  expect(zipped.length).toBeLessThan(40_000_000);
});

test('a bundle loads it in a new process, without the packages of the repository', async () => {
  const folder = join(temporary, 'local');
  await build({
    ...buildOptions,
    stdin: {
      contents: `import { loadEncoder } from './lib/search/semantic/encoder.ts';
        const { model, encode } = await loadEncoder();
        const [vector] = await encode(['how do I get my money back']);
        console.log(JSON.stringify({ model, length: vector.length }));`,
      resolveDir: root,
    },
    outfile: join(folder, 'index.mjs'),
    plugins: leanPlugins,
  });
  putEncoderFiles(folder, localMachine);
  const output = execFileSync(process.execPath, [join(folder, 'index.mjs')], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual({ model: 'minilm-l6-v2-int8-1', length: 384 });
});

test('on another machine, it fails with a sentence', async () => {
  const folder = join(temporary, 'local');
  const libraries = join(folder, 'node_modules/onnxruntime-node/bin');
  rmSync(libraries, { recursive: true });
  const child = () =>
    execFileSync(process.execPath, [join(folder, 'index.mjs')], { stdio: 'pipe', encoding: 'utf8' });
  expect(child).toThrow(/does not run on/);
});
