/** The wheel of the Python client, as users install it. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installCommand } from '../../../lib/downloads/releases.ts';
import { pythonWheel } from '../../../scripts/downloads/python-client.ts';
import { root } from '../../../scripts/shared/root.ts';
import { execute } from '../../support/client/installed.ts';
import { type Diagnostic, hasPyright, pyright } from '../../support/client/pyright.ts';
import { environmentOf, interpreters, type Tested, testedByTag } from '../../support/client/pythons.ts';

const maxBytes = 300_000;

const { file, bytes } = pythonWheel('0g1bc1bbf');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'platform-api-wheel-'));
  writeFileSync(join(folder, file), bytes);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

test('it has at most 300 KB, and the licence of the project', () => {
  expect(file).toMatch(/^platform_api-\d+\.\d+\.\d+-0g1bc1bbf-py3-none-any\.whl$/);
  expect(bytes.length).toBeLessThanOrEqual(maxBytes);
  expect(read('clients/python/LICENSE')).toBe(read('LICENSE'));
});

test('nobody can upload it by accident', () => {
  expect(read('clients/python/pyproject.toml')).toContain('"Private :: Do Not Upload"');
});

/** How much longer the import of the package takes than that of urllib.request. Pairs, because a busy machine slows both. */
const importTimes = `
import statistics, subprocess, sys
def seconds(module):
    program = f"import time; start = time.perf_counter(); import {module}; print(time.perf_counter() - start)"
    return float(subprocess.run([sys.executable, "-I", "-c", program], check=True, capture_output=True, text=True).stdout)
pairs = [(seconds("platform_api"), seconds("urllib.request")) for _ in range(16)][1:]
print(statistics.median(own / other for own, other in pairs))
`;

const description = `
import importlib.metadata, json, sys
found = importlib.metadata.metadata("platform-api")
files = [str(path) for path in importlib.metadata.files("platform-api")]
import platform_api
lazy = [name for name in ("httpx", "asyncio", "platform_api.types", "platform_api._async") if name in sys.modules]
print(json.dumps({
    "name": found["Name"], "version": found["Version"], "python": found["Requires-Python"],
    "needs": found.get_all("Requires-Dist"), "extras": found.get_all("Provides-Extra"),
    "classifiers": found.get_all("Classifier"), "summary": found["Summary"], "readme": found.get_payload(),
    "lazy": lazy, "typed": "platform_api/py.typed" in files, "own": platform_api.__version__,
}))
`;

const buildOf = `
import importlib.metadata, re
print(re.search("^Build: (.*)$", importlib.metadata.distribution("platform-api").read_text("WHEEL"), re.M)[1])
`;

/** The tests of one version. */
const inVersion = ({ version, interpreter }: Tested) => {
  const venv = () => join(folder, version);
  const python = (...args: string[]) => execute(join(venv(), 'bin/python'), args, folder);

  beforeAll(() => {
    if (!interpreter) return;
    execute(interpreter.command, ['-m', 'venv', venv()], folder);
    const install = ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check'];
    python(...install, join(folder, file));
  });

  test('it installs without a network, and is what pyproject.toml says', { tags: ['long'] }, (context) => {
    if (!interpreter) return context.skip(`Python ${version} is missing`);
    const own = /^version = "(.*)"$/m.exec(read('clients/python/src/platform_api/_version.py'))?.[1];
    expect(JSON.parse(python('-I', '-c', description))).toEqual({
      name: 'platform-api',
      version: own,
      own,
      python: '>=3.10',
      needs: ['httpx>=0.24; extra == "async"'],
      extras: ['async'],
      classifiers: expect.arrayContaining(['Private :: Do Not Upload', 'Typing :: Typed']),
      summary: 'The Python client of the Platform API.',
      readme: read('clients/python/README.md'),
      lazy: [],
      typed: true,
    });
  });

  test('the command of a deployment replaces another commit of the same version', {
    tags: ['long'],
  }, (context) => {
    if (!interpreter) return context.skip(`Python ${version} is missing`);
    const builds = ['0g0000002', '0g0000001'].map((build) => {
      const wheel = pythonWheel(build);
      const path = join(folder, wheel.file);
      writeFileSync(path, wheel.bytes);
      const [, ...words] = installCommand({ kind: 'python' }, pathToFileURL(path).href).split(' ');
      python('-m', 'pip', ...words, '--no-index', '--disable-pip-version-check');
      return python('-I', '-c', buildOf).trim();
    });
    expect(builds).toEqual(['0g0000002', '0g0000001']);
  });

  test('its import takes at most twice as long as that of urllib.request', {
    tags: ['nightly'],
  }, (context) => {
    if (!interpreter) return context.skip(`Python ${version} is missing`);
    expect(Number(python('-I', '-c', importTimes))).toBeLessThanOrEqual(2);
  });

  test("callers see its types, and the README's code has no errors in pyright's strict mode", {
    tags: ['long'],
  }, (context) => {
    if (!interpreter) return context.skip(`Python ${version} is missing`);
    if (!hasPyright()) return context.skip('pyright cannot be installed');
    const project = join(folder, `types-${version}`);
    mkdirSync(project);
    const source = read('test/support/client/python/types/caller.py');
    writeFileSync(join(project, 'caller.py'), source);
    const blocks = [...read('clients/python/README.md').matchAll(/```python\n([\s\S]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(5);
    writeFileSync(join(project, 'readme.py'), blocks.map(([, code]) => code).join('\n'));
    const expected = source.split('\n').flatMap((text, at) => {
      const [, comment] = / {2}# (.*)$/.exec(text) ?? [];
      return comment ? [{ line: at + 1, comment }] : [];
    });
    const all = pyright(project, join(venv(), 'bin/python'));
    expect(all.filter(({ file }) => file === 'readme.py')).toEqual([]);
    const found = all.filter(({ file }) => file === 'caller.py');
    const said = (one: Diagnostic) =>
      one.severity === 'information' ? (/ is "(.*)"$/.exec(one.message)?.[1] ?? '') : `error: ${one.message}`;
    const missing = expected.filter(
      ({ line, comment }) =>
        !found.some((one) => {
          const text = said(one);
          return (
            one.line === line && (comment.startsWith('error') ? text.startsWith(comment) : text === comment)
          );
        }),
    );
    expect(missing).toEqual([]);
    const lines = expected.map(({ line }) => line);
    expect(found.filter(({ line }) => !lines.includes(line))).toEqual([]);
  });
};
const { fast, nightly } = testedByTag();
describe.each(fast)('in Python $version', inVersion);
describe.each(nightly)('in Python $version', { tags: ['nightly'] }, inVersion);

test("it is clean in pyright's strict mode", { tags: ['nightly'] }, (context) => {
  const [first] = interpreters();
  if (!first) return context.skip('Python is missing');
  if (!hasPyright()) return context.skip('pyright cannot be installed');
  const [, httpx = ''] = (environmentOf(first, true).PYTHONPATH ?? '').split(':');
  expect(pyright(resolve(root, 'clients/python/src'), first.command, [httpx])).toEqual([]);
});
