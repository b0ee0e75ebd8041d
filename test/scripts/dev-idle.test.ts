/** What the dev server costs while nobody uses it. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startDevProcess } from '../../scripts/local/dev-process.ts';

const requests = 2000;
const callers = 4;
const restSeconds = 30;
/** Of one core. A machine whose cores are shared needs more time for the same work, so the measured 2 % have a margin. */
const maxPercent = 4;
/** Of 450 MB, npm takes 75. */
const maxMegabytes = 375;

type Process = { parent: number; ticks: number; megabytes: number; name: string };

/** The fields are in proc_pid_stat(5). A tick is a hundredth of a second. */
function readProcess(pid: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')');
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, pages = 0] = [1, 11, 12, 21].map((index) => fields[index]);
    const name = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
    return { parent, ticks: user + system, megabytes: (pages * 4096) / 1e6, name };
  } catch {
    // It has ended.
    return undefined;
  }
}

/** @returns the process and all processes below it */
function familyOf(root: number): Process[] {
  const all = new Map<number, Process>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const process = readProcess(pid);
    if (process) all.set(Number(pid), process);
  }
  const isBelow = (pid: number): boolean =>
    pid === root || (all.has(pid) && isBelow(all.get(pid)?.parent ?? 0));
  return [...all].filter(([pid]) => isBelow(pid)).map(([, process]) => process);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test.skipIf(process.platform !== 'linux')(
  'after requests, an idle server takes little time and memory (needs /proc)',
  { tags: ['nightly'] },
  async () => {
    const server = await startDevProcess();
    onTestFinished(server.stop);
    const { id: project } = await server.post('/projects', { name: 'Idle' });
    const avatar = { name: 'Ada', persona: { prompt: 'You are Ada.' } };
    const { id: avatarId } = await server.post(`/projects/${project}/avatars`, avatar);
    const conversations = `/projects/${project}/conversations`;
    await Promise.all(
      Array.from({ length: callers }, async () => {
        const { id } = await server.post(conversations, { avatarId });
        for (let number = 0; number < requests / callers; number += 1)
          await server.post(`${conversations}/${id}/messages`, {
            messages: [{ role: 'user', text: 'Hello' }],
          });
      }),
    );
    const ticks = () => sum(familyOf(server.pid).map((process) => process.ticks));
    // Until the workers have done their work, the server is not idle.
    const percentOf = async (seconds: number) => {
      const before = ticks();
      await sleep(seconds * 1000);
      return (ticks() - before) / seconds;
    };
    await expect.poll(() => percentOf(restSeconds), { timeout: 900_000 }).toBeLessThan(maxPercent);
    // DynamoDB Local is not ours. What else the server has started is: esbuild was larger than the server.
    const processes = familyOf(server.pid).filter(({ name }) => !name.endsWith('java'));
    expect(processes.length).toBeGreaterThan(0);
    expect(sum(processes.map(({ megabytes }) => megabytes))).toBeLessThan(maxMegabytes);
  },
);
