/** A child process for files that behaves as its input says, in place of the one that extracts texts. */

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const say = (value: unknown) => process.stdout.write(JSON.stringify(value));
const tried = (act: () => unknown) => {
  try {
    act();
    return 'allowed';
  } catch (error) {
    return (error as { code?: string }).code ?? 'failed';
  }
};

const held: unknown[] = [];
const behaviours: Readonly<Record<string, () => void>> = {
  sleep: () => void setInterval(() => {}, 1000),
  loop: () => {
    for (;;) held.length = 0;
  },
  heap: () => {
    for (;;) held.push(new Array(100_000).fill(held.length));
  },
  buffers: () => void setInterval(() => held.push(Buffer.alloc(8 * 1024 * 1024, 1)), 5),
  flood: () => void setInterval(() => process.stdout.write('x'.repeat(1024 * 1024)), 1),
  crash: () => process.abort(),
  silent: () => process.exit(0),
  nonsense: () => say({ text: 42 }),
  lone: () => say({ text: '\ud800', mimeType: 'text/plain' }),
  rights: () =>
    say({
      mimeType: 'text/plain',
      text: JSON.stringify({
        env: Object.keys(process.env),
        parent: tried(() => readFileSync(`/proc/${process.ppid}/environ`)),
        passwords: tried(() => readFileSync('/etc/passwd')),
        write: tried(() => writeFileSync('/tmp/trap-child', 'x')),
        spawn: tried(() => spawnSync('ls')),
      }),
    }),
};

// As the real process does, unless its code cannot be loaded.
const behaviour = await text(process.stdin);
if (behaviour !== 'unloadable') process.stdout.write('\n');
behaviours[behaviour]?.();
