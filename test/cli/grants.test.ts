/** Keys and workload identities have the same options. Their earlier names still work. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../../lib/base/time.ts';
import { toLoopback } from '../../samples/api.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import { openWorkloadIssuer, type WorkloadIssuer } from '../support/workloads.ts';

const cli = useCli({ adjust: toLoopback });
let issuer: WorkloadIssuer;
beforeAll(async () => {
  issuer = await openWorkloadIssuer();
});
afterAll(() => issuer?.close());

const run = (...args: string[]) => cli.run(args, { env: cli.project.env });
const json = async (...args: string[]) => jsonLines(await run(...args, '--json'));

/** The last part of its subject makes another identity. */
let count = 0;
const creations = {
  keys: () => ['keys', 'create', '--name', 'key', '--scope', 'projects:read'],
  'workload-identities': () => {
    count += 1;
    const trust = ['--issuer', issuer.url, '--subject', `repo:acme/bots:environment:e${count}`];
    return [
      'workload-identities',
      'create',
      '--name',
      `identity ${count}`,
      ...trust,
      '--scope',
      'projects:read',
    ];
  },
};
const shared = ['--scope', '--project-id', '--environment', '--allowed-cidr', '--rate-limit', '--expires-in'];
const earlier = ['--bind', '--allow', '--expires-at'];

describe.each(Object.entries(creations))('%s', (resource, create) => {
  test('have the options in the help and in completions, without earlier names', async () => {
    const { stdout } = await run(resource, 'create', '--help');
    for (const option of shared) expect(stdout).toMatch(new RegExp(`^  ${option} <`, 'm'));
    for (const option of earlier) expect(stdout).not.toMatch(new RegExp(`${option}\\b`));
    const offered = (await run('__complete', resource, 'create', '--')).stdout.split('\n');
    const names = offered.map((line) => line.split('\t')[0]);
    expect(names).toEqual(expect.arrayContaining(shared));
    expect(names.filter((name) => earlier.includes(String(name)))).toEqual([]);
  });

  test('are created and changed with them', async () => {
    const given = [
      '--project-id',
      cli.project.id,
      '--environment',
      'staging',
      '--environment',
      'preview',
      '--allowed-cidr',
      '127.0.0.0/8',
      '--allowed-cidr',
      '::1/128',
    ];
    const beforeMs = Date.now();
    const [made] = await json(...create(), ...given, '--rate-limit', '100/1m', '--expires-in', '2w');
    expect(made).toMatchObject({
      projectIds: [cli.project.id],
      environments: ['staging', 'preview'],
      allowedCidrs: ['127.0.0.0/8', '::1/128'],
      rateLimit: { requests: 100, per: '1m' },
    });
    const lifetimeMs = Date.parse(String(made?.expiresAt)) - beforeMs;
    expect(lifetimeMs).toBeGreaterThanOrEqual(14 * 24 * hourMs);
    expect(lifetimeMs).toBeLessThan(14 * 24 * hourMs + 60_000);
    const changes = ['--rate-limit', 'none', '--allowed-cidr', '::1/128', '--expires-in', '1h'];
    const [changed] = await json(resource, 'update', String(made?.id), ...changes);
    expect(changed).toMatchObject({ id: made?.id, rateLimit: null, allowedCidrs: ['::1/128'] });
    expect(Date.parse(String(changed?.expiresAt))).toBeLessThan(Date.now() + 2 * hourMs);
  });

  test('are created with the earlier names, also mixed with the new ones', async () => {
    const other = (await cli.newProject()).id;
    const given = ['--bind', cli.project.id, '--project-id', other, '--allow', '127.0.0.0/8'];
    expect(await json(...create(), ...given)).toMatchObject([
      { projectIds: [cli.project.id, other], allowedCidrs: ['127.0.0.0/8'] },
    ]);
  });

  test('a limit or a lifetime that is not one is refused before any request', async () => {
    expect(await run(...create(), '--rate-limit', '100')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--rate-limit must be'),
    });
    expect(await run(...create(), '--expires-in', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--expires-in'),
    });
  });
});

test('an identity still takes the time of its end; a repeatable command must name it', async () => {
  const create = creations['workload-identities']();
  const key = ['--idempotency-key', 'once'];
  const refused = await run(...create, '--expires-in', '30d', ...key);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--expires-at 20') });
  const end = new Date(Date.now() + 48 * hourMs).toISOString();
  const [made] = await json(...create, '--expires-at', end, ...key);
  expect(made).toMatchObject({ expiresAt: end });
  expect(await json(...create, '--expires-at', end, ...key)).toMatchObject([{ id: made?.id }]);
  expect(await run(...create, '--expires-at', end, '--expires-in', '1d')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not both'),
  });
});
