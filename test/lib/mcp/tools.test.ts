/** The list of tools: what a key gets, and how large the list is. */

import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../functions/index.ts';
import { allScopes, rootScopes } from '../../../lib/base/scopes.ts';
import { describeTool } from '../../../lib/mcp/describe.ts';
import { offeredTools, removalBy, shownTool, toolNamed, tools } from '../../../lib/mcp/tools.ts';

const named = (scopes: readonly string[], destructive = false) =>
  offeredTools(scopes, destructive).map(({ name }) => name);

describe('the list', () => {
  test.each([true, false])('has at most 38 KB for a full key; destructive tools: %s', (destructive) => {
    const shown = offeredTools(rootScopes, destructive).map((tool) => shownTool(tool, destructive));
    expect(shown.length).toBeGreaterThan(60);
    expect(Buffer.byteLength(JSON.stringify([describeTool, ...shown]))).toBeLessThanOrEqual(38 * 1024);
  });

  test('has names that every agent takes, each once', () => {
    const names = [describeTool.name, ...tools.map(({ name }) => name)];
    for (const name of names) expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  test('has no tool that writes for a key that only reads', () => {
    const reading = allScopes.filter((scope) => scope.endsWith(':read'));
    const offered = offeredTools(reading, true);
    expect(offered.length).toBeGreaterThan(30);
    expect(offered.filter(({ isReading, removes }) => !isReading && removes === undefined)).toEqual([]);
    expect(named(reading).filter((name) => /create|put|update|delete|append/.test(name))).toEqual([]);
  });

  test('has only the tools of the scopes, and those that every key may use', () => {
    expect(named(['projects:read'])).toEqual([
      'api_keys_me',
      'me_get',
      'models_list',
      'projects_list',
      'projects_get',
      'projects_purge',
      'projects_usage',
      'projects_usage_days',
      'usage_get',
      'usage_days',
    ]);
    expect(named([])).toEqual(['api_keys_me', 'me_get', 'models_list', 'usage_get', 'usage_days']);
  });

  test('has no tool whose answer is a secret or an address of bytes, or that gives access to others', () => {
    const left = endpoints.filter(
      ({ id, raw, auth }) => raw === undefined && auth !== 'public' && !tools.some((tool) => tool.id === id),
    );
    expect(left.map(({ id }) => id).sort()).toEqual([
      'api-keys.create',
      'api-keys.rotate',
      'api-keys.update',
      'conversations.import',
      'conversations.import-file',
      'exports.create',
      'exports.get',
      'uploads.create',
      'webhooks.create',
      'webhooks.rotate-secret',
      'webhooks.update',
      'workload-identities.create',
      'workload-identities.update',
    ]);
  });
});

describe('tools that delete', () => {
  test('are off', () => {
    const off = tools.filter(({ removes }) => removes !== undefined).map(({ name }) => name);
    for (const { method, id, removes } of tools) if (method === 'DELETE') expect(removes, id).toMatch(/\.$/);
    expect(off).toEqual(
      expect.arrayContaining([
        'projects_delete',
        'conversations_erase',
        'jobs_cancel',
        'deployments_rollback',
      ]),
    );
    expect(named(rootScopes).filter((name) => off.includes(name))).toEqual([]);
    expect(named(rootScopes, true).filter((name) => off.includes(name))).toEqual(off);
  });

  test('are hints for the agent, and so are those that read', () => {
    for (const tool of tools) {
      const { annotations } = shownTool(tool, true);
      if (tool.isReading) expect(annotations).toEqual({ readOnlyHint: true });
      else
        expect(annotations).toMatchObject({
          destructiveHint: tool.removes !== undefined || Object.keys(tool.destructiveArguments).length > 0,
        });
      // Without these arguments, it removes nothing.
      if (!tool.isReading && tool.removes === undefined)
        expect(shownTool(tool, false).annotations).toMatchObject({ destructiveHint: false });
      // A POST is idempotent only with the same key.
      expect('idempotentHint' in annotations).toBe(['PUT', 'PATCH', 'DELETE'].includes(tool.method));
    }
  });

  test.each([
    ['projects_update', ['settings']],
    ['projects_put', ['settings']],
    ['knowledge_sources_update', ['url', 'include', 'exclude', 'maxDepth']],
  ])('are arguments, too: %s', (name, names) => {
    const tool = toolNamed(name);
    if (!tool) throw new Error('there is no such tool');
    expect(Object.keys(tool.destructiveArguments)).toEqual(names);
    for (const one of names) {
      expect(shownTool(tool, false).inputSchema.properties).not.toHaveProperty(one);
      expect(shownTool(tool, true).inputSchema.properties).toHaveProperty(one);
    }
  });

  test('are values, too: the argument stays, for its other values', () => {
    const tool = toolNamed('knowledge_sources_refresh');
    if (!tool) throw new Error('there is no such tool');
    expect(shownTool(tool, false).inputSchema.properties).toHaveProperty('confirm');
    const off = [true, 'true', false, 'false', null, 1].map((value) => removalBy(tool, 'confirm', value));
    expect(off).toEqual([expect.any(String), expect.any(String), undefined, undefined, undefined, undefined]);
    for (const name of ['source_id', 'constructor', '__proto__'])
      expect(removalBy(tool, name, true)).toBeUndefined();
  });
});
