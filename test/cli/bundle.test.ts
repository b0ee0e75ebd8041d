/** The bundle: what is in it, where it runs, and what shells complete with it. */
// @module-tag long

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../cli/package.json' with { type: 'json' };
import { root } from '../../scripts/shared/root.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { execute, type Packed } from '../support/client/installed.ts';
import { node20 } from '../support/client/runtimes.ts';

const cli = useCli();

/** @param name a file of the bundle. @returns what it imports, beside the modules of Node */
function read(name: string) {
  const code = readFileSync(join(dirname(cli.file), name), 'utf8');
  const imports = code.matchAll(/\bfrom ?"([\w@/:.-]+)"|\b(?:require|import)\("([\w@/:.-]+)"\)/g);
  const names = [...imports].map(([, one, two]) => one ?? two ?? '');
  const others = names.filter((one) => !one.startsWith('node:') && !isBuiltin(one));
  return { code, ofNode: names.length - others.length, others };
}

test('is one file that imports only what Node has, and is small enough to start fast', () => {
  const { code, ofNode, others } = read('platform.js');
  expect(ofNode).toBeGreaterThan(5);
  expect(others).toEqual(['./mcp.js']);
  expect(code.length).toBeLessThan(445_000);
});

test('the tools of agents are a second file, which only their command loads', () => {
  const { code, others } = read('mcp.js');
  expect(code).toContain('notifications/initialized');
  // Texts of programs that a library could write.
  expect(others.filter((name) => !/^ajv(-formats)?\//.test(name))).toEqual([]);
  expect(code.length).toBeLessThan(600_000);
  expect(read('platform.js').code).not.toContain('notifications/initialized');
});

test('jq and the schemas of imports are a third file, which only an import with a map loads', () => {
  const { code, others } = read('convert.js');
  expect(code).toContain('WebAssembly');
  expect(others).toEqual([]);
  expect(code.length).toBeLessThan(1_600_000);
  expect(read('platform.js').code).not.toContain('WebAssembly');
});

test.each(['platform.js', 'mcp.js', 'convert.js'])(
  '%s has nothing of the manifest but its version',
  (name) => {
    expect(read(name).code).not.toContain(manifest.scripts.prepare);
  },
);

test('comes with the licences of the libraries in it', () => {
  const licences = readFileSync(resolve(cli.file, '../LICENSES.txt'), 'utf8').split(
    `\n${'-'.repeat(80)}\n\n`,
  );
  for (const name of [
    'commander',
    'cli-table3',
    'cli-progress',
    'csv-stringify',
    'chokidar',
    '@date-fns/tz',
    'zod',
  ]) {
    const text = new RegExp(
      `^${name} \\d.* \\(MIT\\)\n[\\s\\S]+Copyright[\\s\\S]+Permission is hereby granted`,
    );
    expect(licences).toContainEqual(expect.stringMatching(text));
  }
  for (const name of ['jq', 'Oniguruma'])
    expect(licences.join('')).toContain(`${name} (`.replace('jq (', 'jq 1.8.2 ('));
  const ofServer = /^@modelcontextprotocol\/server \d.* \(Apache-2\.0\)\n[\s\S]+Apache License/;
  expect(licences).toContainEqual(expect.stringMatching(ofServer));
});

test('the package has the bundle, all licences and the README', () => {
  const [source, copy] = [resolve(root, 'cli'), join(cli.home, 'package')];
  cpSync(dirname(cli.file), join(copy, 'dist'), { recursive: true });
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(source, name), join(copy, name));
  const printed = execute('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], copy);
  const [packed] = Object.values(JSON.parse(printed) as Record<string, Packed>);
  const expected = [
    'LICENSE',
    'README.md',
    'dist/LICENSES.txt',
    'dist/convert.js',
    'dist/maps/elevenlabs.jq',
    'dist/maps/retell.jq',
    'dist/maps/vapi.jq',
    'dist/mcp.js',
    'dist/platform.js',
    'package.json',
  ];
  expect(packed?.files.map(({ path }) => path).sort()).toEqual(expected.sort());
  expect(readFileSync(join(copy, 'LICENSE'), 'utf8')).toBe(readFileSync(resolve(root, 'LICENSE'), 'utf8'));
});

describe.each([
  { name: "the project's Node", find: () => process.execPath, tags: [] },
  { name: 'Node 20', find: node20, tags: ['nightly'] },
])('under $name', ({ name, find, tags }) => {
  test('prints help and version to stdout, and lists projects', { tags }, async (context) => {
    const node = find();
    if (node === undefined) return context.skip(`${name} is missing, and cannot be installed`);
    const run = (...args: string[]) => cli.runProcess(args, { node, env: cli.project.env });
    expect(await run('--version')).toMatchObject({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
    for (const args of [[], ['--help'], ['help', 'deploy'], ['deploy', '--help']]) {
      const ran = await run(...args);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toContain('Usage: platform');
    }
    const listed = await run('projects', 'list', '--json');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(jsonLines(listed)).toMatchObject([{ id: cli.project.id }]);
  });
});

/** Types a line and Tab into zsh, and runs what zsh makes of it: with --help, so that the output names the command. */
const typedIntoZsh = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=(~/.zsh/completions \\$fpath); autoload -Uz compinit && compinit -u -D; print rea''dy"
zpty -r shell shown $'*ready\r\n*'
zpty -w -n shell $'platform projects li\t'
zpty -w shell ' --help'
zpty -w shell exit
while zpty -r shell shown; do print -rn -- $shown; done
`;

describe('the completions', () => {
  let env: Record<string, string> = {};
  beforeAll(() => {
    const programs = join(cli.home, 'programs');
    mkdirSync(programs);
    const program = `#!/bin/sh\nexec '${process.execPath}' '${cli.file}' "$@"\n`;
    writeFileSync(join(programs, 'platform'), program, { mode: 0o755 });
    env = {
      HOME: cli.home,
      PATH: `${programs}${delimiter}${process.env.PATH}`,
      NO_COLOR: '1',
      TERM: 'xterm',
    };
  });

  test.for([
    {
      shell: 'bash',
      file: '.bashrc',
      complete:
        '. ~/.bashrc; COMP_WORDS=(platform projects li) COMP_CWORD=2; _platform; declare -p COMPREPLY',
      expected: /=\(\[0\]="list"\)\n$/,
    },
    {
      shell: 'zsh',
      file: '.zsh/completions/_platform',
      complete: typedIntoZsh,
      expected: /^Usage: platform projects list /m,
    },
    {
      shell: 'fish',
      file: '.config/fish/completions/platform.fish',
      complete: "complete -C 'platform projects li'",
      expected: /^list\tLists the projects/,
    },
  ])('for $shell are a valid script, which completes in it', async (one, context) => {
    const { shell, file, complete, expected } = one;
    const { stdout } = await cli.run(['completion', shell]);
    expect(stdout).toContain('platform __complete');
    const run = (...args: string[]) =>
      spawnSync(shell, args, { cwd: cli.home, env, encoding: 'utf8', timeout: 120_000 });
    if (run('-c', 'exit').status !== 0) return context.skip(`${shell} is missing`);
    const script = join(cli.home, file);
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, stdout);
    expect(run('-n', script)).toMatchObject({ status: 0, stderr: '' });
    expect(run('-c', complete).stdout).toMatch(expected);
  });
});
