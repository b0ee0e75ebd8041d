/** What the bundler leaves out and replaces. */

import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { moduleAt, replaceModule } from '../../scripts/bundle/replaced.ts';
import { removeMetadata } from '../../scripts/bundle/without-metadata.ts';
import { root } from '../../scripts/shared/root.ts';

describe('a module that is replaced', () => {
  /** Bundles code while a file has other contents. @returns the bundle */
  async function bundled(contents: string, file: string): Promise<string> {
    const replaced = {
      name: 'replaced',
      setup: (setup: Parameters<typeof replaceModule>[0]) =>
        replaceModule(setup, moduleAt(file), () => ({
          contents: "export const referenceFolder = 'replaced';",
        })),
    };
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      logLevel: 'silent',
      plugins: [replaced],
    });
    return outputFiles[0]?.text ?? '';
  }
  const code = "import { referenceFolder } from './lib/http/page-folders.ts'; console.log(referenceFolder);";

  test('has the other contents', async () => {
    expect(await bundled(code, 'lib/http/page-folders.ts')).toContain('"replaced"');
  });

  test('need not be in the bundle', async () => {
    expect(await bundled('console.log(1);', 'lib/http/page-folders.ts')).toContain('console.log(1)');
  });

  test.each([
    ['that imports it', code],
    ['that does not', 'console.log(1);'],
  ])('must be a file of the repository: a build %s fails', async (_, contents) => {
    await expect(bundled(contents, 'lib/pages/folders.ts')).rejects.toThrow(
      'lib/pages/folders.ts is gone. Name its new path in scripts/bundle/',
    );
  });
});

const without = (code: string) => removeMetadata(code, 'schema.ts');

describe('the metadata of schemas', () => {
  test.each([
    ["z.string().meta({ description: 'A (name).' }).optional()", 'z.string().optional()'],
    ["z.object({ a: b.meta({ id: 'A' }) }).meta({ id: 'B' })", 'z.object({ a: b })'],
    ["(a ? b : c).meta({ example: '})' })", '(a ? b : c)'],
    ['const of = (d) => z.int().meta({ ...d });', 'const of = (d) => z.int();'],
    ['a.meta({ as: b.meta({ c }) }); d.meta({ e })', 'a; d'],
    ['a\n  // Why.\n  .meta({ b })\n  .c()', 'a\n  // Why.\n  \n  .c()'],
  ])('%j becomes %j', (code, left) => expect(without(code)).toBe(left));

  test.each(["'.meta({ a })'", 'import.meta.dirname', 'meta({ a })', 'a.metadata({ b })'])(
    '%s stays',
    (code) => expect(without(code)).toBe(code),
  );

  test.each(['a.meta()', 'a.meta(b)', 'a.meta(b())', 'a.meta({}, b)'])(
    '%s is refused: it could do more',
    (code) => expect(() => without(code)).toThrow('schema.ts: .meta() needs an object literal'),
  );
});
