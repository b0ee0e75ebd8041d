/** Workload identities on the command line, with tokens of an issuer on this machine. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLoopback } from '../../samples/api.ts';
import auditWriter from '../../workers/audit-writer.ts';
import { jsonLines, useCli } from '../support/cli.ts';
import {
  type Identity,
  openWorkloadIssuer,
  subject,
  tokenFor,
  type WorkloadIssuer,
} from '../support/workloads.ts';

const cli = useCli({ workers: [auditWriter], adjust: toLoopback });
let issuer: WorkloadIssuer;
beforeAll(async () => {
  issuer = await openWorkloadIssuer();
});
afterAll(() => issuer?.close());

const root = (...args: string[]) => cli.run(args, { env: cli.project.env });
const json = async (...args: string[]) => jsonLines(await root(...args, '--json'));

let count = 0;
/** @returns an identity, and `run`, which runs a command with a new token of it */
async function newIdentity(name: string, ...scopes: string[]) {
  const create = [
    'workload-identities',
    'create',
    '--name',
    name,
    '--issuer',
    issuer.url,
    '--subject',
    subject,
  ];
  const claims = '{"claims":{"repository_id":"1001"}}';
  const created = await root(
    ...create,
    '--data',
    claims,
    ...scopes.flatMap((scope) => ['--scope', scope]),
    '--json',
  );
  expect(created).toMatchObject({ code: 0 });
  const [made] = jsonLines(created);
  const identity = {
    id: `${made?.id}`,
    audience: `${made?.audience}`,
    issuer: issuer.url,
  } satisfies Identity;
  const file = join(cli.home, `${identity.id}-token`);
  const env = {
    XDG_CONFIG_HOME: join(cli.home, identity.id),
    PLATFORM_BASE_URL: cli.service.baseUrl,
    PLATFORM_AUDIENCE: identity.audience,
    PLATFORM_ID_TOKEN_FILE: file,
  };
  const run = (...args: string[]) => {
    const [signer] = issuer.signers;
    if (!signer) throw new Error('the issuer has no key');
    count += 1;
    writeFileSync(file, tokenFor(cli.api, identity, signer, { repository_id: '1001', jti: `${count}` }));
    return cli.run(args, { env });
  };
  return { ...identity, made, run };
}

test('an identity logs in without a key, and the log names the identity and the subject', async () => {
  const { id, audience, made, run } = await newIdentity('deploy', 'projects:write');
  expect(made).toMatchObject({
    name: 'deploy',
    subject,
    claims: { repository_id: '1001' },
    status: 'active',
  });
  const [shown] = jsonLines(await run('login', '--oidc', '--json'));
  expect(shown).toMatchObject({ kind: 'workload identity', id, subject, scopes: ['projects:write'] });
  expect((await run('whoami')).stdout).toMatch(new RegExp(`^subject +${subject}$`, 'm'));
  const [project] = jsonLines(await run('projects', 'create', '--name', 'By CI', '--json'));
  const list = ['audit', 'list', '--resource', `${project?.id}`];
  await expect.poll(() => json(...list), { timeout: 20_000 }).toHaveLength(1);
  expect((await root(...list)).stdout).toContain(`deploy as ${subject}`);
  expect(await json('audit', 'list', '--actor', id)).toMatchObject([
    { actor: { id, subject, name: 'deploy' } },
  ]);
  expect(audience).toMatch(/^urn:platform:org_\w+:live:wid_\w+$/);
});

test('list, get by the name, suspend, resume, and delete', async () => {
  const { id, run } = await newIdentity('nightly', 'projects:read');
  const listed = (await root('workload-identities', 'list', '--status', 'active')).stdout;
  expect(listed).toMatch(new RegExp(`^${id} +nightly +active +${subject}`, 'm'));
  expect(await json('workload-identities', 'get', 'nightly')).toMatchObject([{ id, issuer: issuer.url }]);
  const update = ['workload-identities', 'update', 'nightly', '--status'];
  expect(await root(...update, 'suspended')).toMatchObject({ code: 0 });
  const refused = await run('projects', 'list');
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('suspended') });
  await root(...update, 'active');
  expect(await run('projects', 'list')).toMatchObject({ code: 0 });
  const offered = async () => (await root('__complete', 'workload-identities', 'get', '')).stdout;
  expect(await offered()).toContain(`nightly\t${id}\n${id}\tnightly\n`);
  const remove = ['workload-identities', 'delete', 'nightly'];
  expect(await root(...remove)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  expect(await root(...remove, '--dry-run', '--children')).toMatchObject({ code: 0 });
  expect(await run('projects', 'list')).toMatchObject({ code: 0 });
  expect(await json(...remove, '--yes')).toMatchObject([{ id, status: 'deleted' }]);
  expect(await run('projects', 'list')).toMatchObject({ code: 3 });
  expect(await offered()).not.toContain(id);
  expect(await root('workload-identities', 'get', 'nightly')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The id of an identity is wid_ and 26 characters.'),
  });
  expect(await json('workload-identities', 'get', id)).toMatchObject([{ id, status: 'deleted' }]);
});

test('the keys of an identity are found, and a secret is shown again only to the same token', async () => {
  const { id, run } = await newIdentity('issuer of keys', 'api-keys:write', 'projects:read');
  const create = ['keys', 'create', '--name', 'short', '--scope', 'projects:read'];
  const [key] = jsonLines(await run(...create, '--idempotency-key', `once-${id}`, '--json'));
  expect(key).toMatchObject({ createdBy: `${id}:${subject}`, secret: expect.stringMatching(/^sk_/) });
  expect(await json('keys', 'list', '--created-by', id)).toMatchObject([{ id: key?.id }]);
  expect((await root('keys', 'list')).stdout).toContain(id);
  expect(await run(...create, '--idempotency-key', `once-${id}`)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('secret_unavailable'),
  });
});
