/**
 * `npm run recording`: runs the commands of the scene against a dev server of its own, in a terminal, and draws what it shows into
 * docs/recording.svg. Needs Python 3.11.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { startDevProcess } from './local/dev-process.ts';
import { draw } from './recording/drawing.ts';
import { commands, description, seed, title, writeHandbook } from './recording/scene.ts';
import { runInTerminal, screens } from './recording/terminal.ts';
import { session } from './recording/timing.ts';
import { readOptions } from './shared/options.ts';
import { root } from './shared/root.ts';

const size = { columns: 96, rows: 33 };

try {
  readOptions({}, 'Usage: npm run recording');
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'platform-recording-'));
const server = await startDevProcess();
try {
  const bin = join(folder, 'bin');
  execFileSync(process.execPath, [resolve(root, 'cli/build.mjs'), bin]);
  symlinkSync('platform.js', join(bin, 'platform'));
  writeHandbook(folder);
  const env = {
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    TERM: 'xterm-256color',
    PLATFORM_BASE_URL: server.baseUrl,
    PLATFORM_API_KEY: server.apiKey,
    PLATFORM_PROJECT: await seed(server.post, Date.now()),
  };
  const ran = commands.map((command) => ({
    command,
    outputs: runInTerminal(['sh', '-c', command], size, { cwd: folder, env }),
  }));
  const svg = draw(await screens(session(ran), size), { title, description });
  for (const secret of [server.apiKey, folder, server.folder, root, homedir(), hostname()])
    if (svg.includes(secret)) throw new Error('the recording shows a key, or a name of this machine');
  const file = resolve(root, 'docs/recording.svg');
  writeFileSync(file, svg);
  console.log(`docs/recording.svg: ${Math.round(svg.length / 1000)} KB`);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
