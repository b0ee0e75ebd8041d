import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import type { openBedrock } from '../../../lib/models/bedrock.ts';
import { buildOptions, leanPlugins } from '../../../scripts/bundle/bundle.ts';
import { startInstantBedrock } from '../../support/instant-bedrock.ts';

test('the code of functions reads the answers of Bedrock, although other libraries have no event streams there', async () => {
  const bedrock = await startInstantBedrock(['within ', 'ten days']);
  onTestFinished(() => bedrock.stop());
  const folder = mkdtempSync(join(tmpdir(), 'models-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, 'bedrock.mjs');
  await build({
    ...buildOptions,
    entryPoints: ['lib/models/bedrock.ts'],
    outfile,
    plugins: [...leanPlugins],
  });
  const bundle = (await import(pathToFileURL(outfile).href)) as { openBedrock: typeof openBedrock };
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const settings = { region: 'eu-central-1', endpoint: bedrock.url, credentials };
  const { stream } = bundle.openBedrock(settings, { nowMs: Date.now });
  const texts: string[] = [];
  const messages = [{ role: 'user' as const, content: ['How long?'] }];
  const request = { modelId: 'amazon.nova-lite-v1:0', system: ['Be brief.'], messages, maxTokens: 100 };
  const end = await stream(request, (text) => void texts.push(text), new AbortController().signal);
  expect(end).toMatchObject({ kind: 'answer', stop: 'end', outputTokens: 9 });
  expect(texts.join('')).toBe('within ten days');
});
