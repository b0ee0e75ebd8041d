/** The list of tools: what a key gets, and how large the list is. */

import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../functions/index.ts';
import { allScopes, rootScopes } from '../../../lib/base/scopes.ts';
import { describeTool } from '../../../lib/mcp/describe.ts';
import { offeredTools, shownTool, toolNamed, tools } from '../../../lib/mcp/tools.ts';

const named = (scopes: readonly string[], destructive = false) =>
  offeredTools(scopes, destructive).map(({ name }) => name);

describe('the list', () => {
  test.each([true, false])('has at most 32 KB for a full key; destructive tools: %s', (destructive) => {
    const shown = offeredTools(rootScopes, destructive).map((tool) => shownTool(tool, destructive));
    expect(shown.length).toBeGreaterThan(60);
    expect(Buffer.byteLength(JSON.stringify([describeTool, ...shown]))).toBeLessThanOrEqual(32 * 1024);
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
    expect(offered.filter(({ isReading, isDestructive }) => !isReading && !isDestructive)).toEqual([]);
    expect(named(reading).filter((name) => /create|put|update|delete|append/.test(name))).toEqual([]);
  });

  test('has only the tools of the scopes, and those that every key may use', () => {
    expect(named(['projects:read'])).toEqual([
      'api_keys_me',
      'me_get',
      'projects_list',
      'projects_get',
      'projects_purge',
      'usage_get',
      'usage_days',
    ]);
    expect(named([])).toEqual(['api_keys_me', 'me_get', 'usage_get', 'usage_days']);
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
    const off = tools.filter(({ isDestructive }) => isDestructive).map(({ name }) => name);
    for (const { method, id, isDestructive } of tools)
      if (method === 'DELETE') expect(isDestructive, id).toBe(true);
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
      else expect(annotations).toMatchObject({ destructiveHint: tool.isDestructive });
      // A POST is idempotent only with the same key.
      expect('idempotentHint' in annotations).toBe(['PUT', 'PATCH', 'DELETE'].includes(tool.method));
    }
  });

  test('are arguments, too: a shorter retention deletes conversations', () => {
    const tool = toolNamed('projects_update');
    if (!tool) throw new Error('there is no such tool');
    expect(shownTool(tool, false).inputSchema.properties).not.toHaveProperty('settings');
    expect(shownTool(tool, true).inputSchema.properties).toHaveProperty('settings');
  });
});
