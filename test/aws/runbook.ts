/** Follows the procedures of docs/runbook.md in the emulated account, and checks what each of them did. */

import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { functionName } from '../../infra/names.ts';
import type { ContractApi } from '../../samples/api.ts';
import { commandOf } from '../../scripts/shared/tools.ts';
import type { Account } from '../support/aws-account.ts';
import { run } from '../support/aws-account.ts';
import { type CallAt, rehearseDeletedStack } from './deleted-stack.ts';
import { follow, type Values } from './follow.ts';

type Stage = { account: Account; callAt: CallAt; open(): Promise<ContractApi> };

const before = 'search_logs() {';

/** @param stage the deployed stage `dev` */
export function rehearseRunbook(stage: () => Stage): void {
  const aws = (...args: string[]) => run(stage().account, commandOf('aws'), args);
  const json = async (...args: string[]) => JSON.parse(await aws(...args)) as unknown;
  const procedure = (values: Values, ...parts: string[]) =>
    follow(stage().account, 'docs/runbook.md', values, before, ...parts);
  const statusOf = async (api: ContractApi, key: string, path = '/projects') =>
    (await api.call('GET', path, { key })).status;

  test('the logs are searched by request id and by fault, in every log group', {
    tags: ['nightly'],
    timeout: 1_800_000,
  }, async () => {
    const api = await stage().open();
    const project = await api.createProject();
    const name = functionName('dev', 'projects.get');
    const own = ['--function-name', name];
    const { Variables } = (await json(
      'lambda',
      'get-function-configuration',
      ...own,
      '--query',
      'Environment',
    )) as {
      Variables: Record<string, string>;
    };
    const change = (variables: Record<string, string>) => {
      const text = JSON.stringify({ Variables: { ...Variables, ...variables } });
      return aws('lambda', 'update-function-configuration', ...own, '--environment', text);
    };
    const live = ['--name', 'live', '--function-version'];
    const good = (await json(
      'lambda',
      'get-alias',
      ...own,
      '--name',
      'live',
      '--query',
      'FunctionVersion',
    )) as string;
    await change({ PROJECTS_TABLE: 'nowhere' });
    const bad = (await json('lambda', 'publish-version', ...own, '--query', 'Version')) as string;
    await aws('lambda', 'update-alias', ...own, ...live, bad);
    const broken = await api.call('GET', `/projects/${project}`);
    expect(broken.status, broken.text).toBeGreaterThanOrEqual(500);
    // The emulator stores a line that is late, on a busy machine, with the next call of the function.
    await api.call('GET', `/projects/${project}`);
    await aws('lambda', 'update-alias', ...own, ...live, good);
    await change({});
    const answered = await api.call('GET', '/projects');
    await api.call('GET', '/projects');
    const id = answered.headers['X-Request-Id'] ?? '';
    const printed = await procedure({ REQUEST: id }, 'search_logs "$REQUEST"');
    const lines = printed.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.filter((line) => line.includes(id) && line.includes('"projects.list"'))).toHaveLength(1);
    const faults = lines.filter((line) => line.includes('"fault"') && line.includes('"projects.get"'));
    expect(faults.join()).toContain(broken.headers['X-Request-Id'] ?? 'no id');
  });

  test('a leaked key is revoked with the keys that it created, and those that they created', async () => {
    const api = await stage().open();
    const makeKey = async (key?: string) => {
      const body = { name: 'k', scopes: ['api-keys:write', 'projects:read'] };
      const { data, text } = await api.call('POST', '/api-keys', { body, ...(key && { key }) });
      expect(data.secret, text).toMatch(/^sk_/);
      return String(data.secret);
    };
    const leaked = await makeKey();
    const child = await makeKey(leaked);
    const grandchild = await makeKey(child);
    const other = await makeKey();
    const values = { ORG: api.organisationId, LEAKED: leaked };
    const printed = await procedure(values, 'ID=key_', 'childrenRevocation.finishedAt', 'search_logs "$ID"');
    // The log shows what it was used for: it created a key.
    expect(printed).toMatch(/"endpoint":"api-keys.create".*"caller":"key_/);
    const statuses = [leaked, child, grandchild, other].map((key) => statusOf(api, key));
    expect(await Promise.all(statuses)).toEqual([401, 401, 401, 200]);
  }, 1_800_000);

  test('one organisation is suspended in both modes, and resumed', async () => {
    const [api, another] = [await stage().open(), await stage().open()];
    const keys = [(await api.createKey()).secret, await api.testModeKey()];
    const otherKey = (await another.createKey()).secret;
    for (const key of keys) expect(await statusOf(api, key)).toBe(200);
    const values = { ORG: api.organisationId };
    await procedure(values, 'organisations -- suspend');
    for (const key of [...keys, api.rootKey]) expect(await statusOf(api, key)).toBe(403);
    expect(await statusOf(another, otherKey)).toBe(200);
    await procedure(values, 'organisations -- resume');
    for (const key of [...keys, api.rootKey]) expect(await statusOf(api, key)).toBe(200);
  }, 1_800_000);

  test('the API is closed and opened, except for a method with its own throttle', async () => {
    const api = await stage().open();
    const statuses = () =>
      Promise.all(['/api-keys/me', '/projects'].map(async (path) => (await api.call('GET', path)).status));
    expect(await statuses()).toEqual([200, 200]);
    await procedure({}, "throttle '*/*' 0 0");
    expect(await statuses()).toEqual([429, 200]);
    await procedure({}, "throttle '*/*' 0 0", "throttle '*/*' 500 1000");
    expect(await statuses()).toEqual([200, 200]);
  }, 1_800_000);

  test('a job is found by its id, with its tenant, state and log lines', async () => {
    const api = await stage().open();
    const project = await api.createProject();
    const reindex = async () => {
      const { data } = await api.call('POST', `/projects/${project}/knowledge/reindex`);
      await api.workOff(project, String(data.id));
      return String(data.id);
    };
    const job = await reindex();
    // The emulator stores a late line of the first job with the next call of the worker.
    await reindex();
    const printed = await procedure({ JOB: job, PROJECT: project }, '"$STACK-jobs"');
    expect(printed).toContain(`${api.organisationId}#live#${project}`);
    expect(printed).toContain('"succeeded"');
    expect(printed).toMatch(new RegExp(`"worker":"knowledge-indexer".*"item":"${job}"`));
  }, 1_800_000);

  test('a bad release is rolled back to the previous versions, and forward again', {
    tags: ['nightly'],
    timeout: 1_800_000,
  }, async () => {
    const own = ['--function-name', functionName('dev', 'projects.list')];
    const live = async () =>
      (await json('lambda', 'get-alias', ...own, '--name', 'live', '--query', 'FunctionVersion')) as string;
    const environment = await aws(
      ...['lambda', 'get-function-configuration', ...own],
      ...['--query', 'Environment'],
    );
    const api = await stage().open();
    const good = await live();
    onTestFinished(async () => {
      await aws('lambda', 'update-function-configuration', ...own, '--environment', environment);
      await aws('lambda', 'update-alias', ...own, '--name', 'live', '--function-version', good);
    });
    // LastModified has seconds.
    await sleep(1100);
    const since = new Date().toISOString();
    await aws('lambda', 'update-function-configuration', ...own, '--environment', '{"Variables":{}}');
    const bad = (await json('lambda', 'publish-version', ...own, '--query', 'Version')) as string;
    await aws('lambda', 'update-alias', ...own, '--name', 'live', '--function-version', bad);
    expect((await api.call('GET', '/projects')).status).toBeGreaterThanOrEqual(500);
    const printed = await procedure({ SINCE: since, STAGE: 'dev' }, '--before "$SINCE"');
    expect(await live()).toBe(good);
    expect((await api.call('GET', '/projects')).status).toBe(200);
    expect(printed.match(/ uses version /g)?.length).toBeGreaterThan(endpoints.length);
    // Nothing was deployed meanwhile, so the newest version is the bad one.
    await run(stage().account, process.execPath, ['scripts/rollback.ts', '--newest']);
    expect(await live()).toBe(bad);
  });

  // Deploys everything three times.
  describe('another stage', { tags: ['nightly'] }, () => {
    const staging = { STAGE: 'staging', STACK: 'PlatformApi-staging' };
    const stackNames = () => json('cloudformation', 'describe-stacks', '--query', 'Stacks[].StackName');
    const tablesOfStaging = async () =>
      ((await json('dynamodb', 'list-tables', '--query', 'TableNames')) as string[]).filter((name) =>
        name.startsWith('PlatformApi-staging'),
      );
    const bucketsOfStaging = () =>
      json('s3api', 'list-buckets', '--query', "Buckets[?contains(Name, 'staging')].Name") as Promise<
        string[]
      >;
    const keysOfStaging = () =>
      json(
        'kms',
        'list-aliases',
        '--query',
        "Aliases[?contains(AliasName, 'staging')].TargetKeyId",
      ) as Promise<string[]>;
    let key = '';
    afterAll(() => rmSync('stages/staging.json', { force: true }));

    test('is added and gets a first key', async () => {
      const printed = await follow(stage().account, 'docs/runbook.md', {}, "jq 'del(.waf", '--stage staging');
      // Of the stage staging: the block also makes a key of dev.
      key = printed.match(/sk_live_\w+/g)?.at(-1) ?? '';
      expect(await stackNames()).toContain('PlatformApi-staging');
      expect((await tablesOfStaging()).length).toBeGreaterThan(10);
    }, 1_800_000);

    test('lists the alarms that are on', async () => {
      const names = (await json(
        'cloudwatch',
        'describe-alarms',
        '--query',
        'MetricAlarms[].AlarmName',
      )) as string[];
      const name = names.find((each) => each.includes('ServerErrors')) ?? '';
      await aws(
        'cloudwatch',
        'set-alarm-state',
        '--alarm-name',
        name,
        '--state-value',
        'ALARM',
        '--state-reason',
        'test',
      );
      const printed = await procedure(staging, 'describe-alarms');
      expect(printed.trim().split('\n')).toEqual([expect.stringMatching(/ServerErrors.*fail with a 5xx/)]);
    }, 1_800_000);

    test('is deleted by mistake and deployed again on its tables: secrets of webhooks sign as before', async () => {
      const { account, callAt } = stage();
      await rehearseDeletedStack(account, { stage: 'staging', key, callAt });
    }, 1_800_000);

    test('has termination protection, is removed, and keeps its data until that is deleted too', async () => {
      const [tables, buckets, keys] = await Promise.all([
        tablesOfStaging(),
        bucketsOfStaging(),
        keysOfStaging(),
      ]);
      const files = buckets.filter((name) => name.endsWith('-files'));
      const downloads = buckets.filter((name) => !files.includes(name));
      // The bucket of downloads of the stack that was deleted before is kept, too.
      expect([files.length, downloads.length, keys.length]).toEqual([1, 2, 1]);
      for (const name of ['PlatformApi-staging', 'PlatformApi-staging-data']) {
        await expect(aws('cloudformation', 'delete-stack', '--stack-name', name)).rejects.toThrow(
          /TerminationProtection/,
        );
      }
      await procedure(staging, 'LOGS=$(resources');
      expect(await stackNames()).toEqual(expect.not.arrayContaining(['PlatformApi-staging']));
      expect(await tablesOfStaging()).toEqual(tables);
      expect(await bucketsOfStaging()).toEqual(buckets);
      // The stacks are gone, so their resources cannot be read.
      const left = {
        ...staging,
        TABLES: tables.join('\n'),
        BUCKET: files.join(),
        DOWNLOADS: downloads.join('\n'),
        KEYS: keys.join(),
        LOGS: '',
      };
      await follow(stage().account, 'docs/runbook.md', left, 'for table in $TABLES');
      expect([...(await tablesOfStaging()), ...(await bucketsOfStaging())]).toEqual([]);
      const key = ['--key-id', keys.join(), '--query', 'KeyMetadata.KeyState'];
      expect(await json('kms', 'describe-key', ...key)).toBe('PendingDeletion');
      expect(existsSync('stages/staging.json')).toBe(false);
      expect(await stackNames()).toContain('PlatformApi-dev');
    }, 1_800_000);
  });
}
