/** The request of a tool call. Its arguments come from a model, which may have read an attacker's text. */

import { describe, expect, test } from 'vitest';
import { idempotencyKeyFrom, requestOf } from '../../../lib/mcp/request.ts';
import { toolNamed } from '../../../lib/mcp/tools.ts';

function made(name: string, given: Record<string, unknown>, allowDestructive = false) {
  const tool = toolNamed(name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return requestOf(tool, given, { allowDestructive, key: 'a-key' });
}

const project_id = 'proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E';

describe('a request', () => {
  test('has its arguments in the path, the query and the body', () => {
    expect(
      made('knowledge_documents_put', { project_id, external_id: 'a/b', title: 'T', content: '# T' }),
    ).toEqual({
      request: {
        method: 'PUT',
        path: `/projects/${project_id}/knowledge/documents/by-external-id/a%2Fb`,
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'Idempotency-Key': 'a-key',
        },
        body: '{"title":"T","content":"# T"}',
      },
    });
    expect(made('projects_list', { status: 'active', cursor: 'a b&c' })).toMatchObject({
      request: { method: 'GET', path: '/projects?status=active&cursor=a+b%26c&limit=20' },
    });
    expect(made('conversations_list', { project_id, score: ['a:eq:1', 'b:exists'] })).toMatchObject({
      request: { path: expect.stringContaining('?score=a%3Aeq%3A1&score=b%3Aexists&') },
    });
  });

  test.each(['..', '.', '', 'x'.repeat(1001), 42n, null, {}, ['a'], '\ud800'])(
    'does not leave its path: %s',
    (value) => {
      expect(made('projects_get', { project_id: value })).toEqual({
        problem: 'project_id must be a text of at most 1000 characters, and neither empty nor . or ..',
      });
    },
  );

  test.each(['../webhooks', 'a/../../me', '%2e%2e', '?x=1', '#', 'a\r\nX: 1', '.%2e'])(
    'stays in its part of the path: %j',
    (value) => {
      const answer = made('projects_get', { project_id: value });
      if ('problem' in answer) throw new Error(answer.problem);
      const url = new URL(`https://api.example.com/api/v1${answer.request.path}`);
      expect(url.pathname.split('/').slice(0, 4)).toEqual(['', 'api', 'v1', 'projects']);
      expect(url.pathname.split('/')).toHaveLength(5);
      expect(url.search + url.hash).toBe('');
    },
  );

  test('has no argument that the tool does not have', () => {
    const given = JSON.parse('{"name":"a","__proto__":{"x":1},"constructor":1,"scopes":["api-keys:write"]}');
    expect(made('projects_create', given)).toEqual({
      problem: expect.stringMatching(
        /^Unknown: __proto__, constructor, scopes\. projects_create takes name, /,
      ),
    });
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [`${at}${'n'.repeat(100)}`, 1]),
    );
    const answer = made('projects_create', many);
    expect('problem' in answer && answer.problem.length).toBeLessThan(1000);
    expect(answer).toEqual({ problem: expect.stringContaining(' and 9990 more. projects_create takes ') });
  });

  test.each([
    ['projects_list', { idempotencyKey: 'a-key' }],
    ['projects_list', { textOffset: 1 }],
    ['projects_update', { project_id, name: 'a', idempotencyKey: 'a-key' }],
    ['projects_create', { name: 'a', textOffset: 1 }],
    ['projects_get', { project_id, limit: 1 }],
    ['projects_get', { project_id, toString: undefined }],
  ])('has no argument of other tools: %s %j', (name, given) => {
    expect(made(name, given)).toEqual({
      problem: expect.stringMatching(/^Unknown: (idempotencyKey|textOffset|limit|toString)\. \w+ takes \w+/),
    });
  });

  test.each([-1, 0.5, '7', Number.NaN, null, [1]])('begins texts at a whole number: %j', (textOffset) => {
    expect(made('projects_get', { project_id, textOffset })).toEqual({
      problem: 'textOffset must be a whole number of characters.',
    });
  });

  test('is not longer than a gateway takes', () => {
    expect(made('conversations_search', { project_id, q: 'q'.repeat(10_000) })).toHaveProperty('problem');
  });

  test('says what is missing', () => {
    expect(made('avatars_get', { project_id })).toEqual({ problem: 'Missing: avatar_id.' });
  });

  test('has an argument that deletes something only if a person has turned it on', () => {
    const given = { project_id, settings: { retentionDays: 1 } };
    expect(made('projects_update', given)).toEqual({
      problem: expect.stringMatching(/^The argument settings is off/),
    });
    expect(made('projects_update', given, true)).toMatchObject({ request: { method: 'PATCH' } });
    const source = { project_id, source_id: 'src_1' };
    for (const one of [{ url: 'https://a.example/' }, { include: [] }, { exclude: ['/*'] }, { maxDepth: 0 }])
      expect(made('knowledge_sources_update', { ...source, ...one })).toEqual({
        problem: expect.stringMatching(
          /^The argument \w+ is off\. A refresh removes documents of .*destructive=true\.$/,
        ),
      });
    expect(made('knowledge_sources_refresh', { ...source, confirm: true })).toHaveProperty('problem');
    expect(made('knowledge_sources_refresh', { ...source, confirm: false })).toHaveProperty('request');
  });
});

describe('the idempotency key', () => {
  const other = () => 'random';
  const creating = { properties: { idempotencyKey: { type: 'string' } } };
  test('is that of the arguments, or another one', () => {
    expect(idempotencyKeyFrom(creating, { idempotencyKey: 'mine' }, other)).toEqual({ key: 'mine' });
    expect(idempotencyKeyFrom(creating, {}, other)).toEqual({ key: 'random' });
  });
  test('is not there if the tool takes none', () => {
    expect(idempotencyKeyFrom({ properties: {} }, {}, other)).toEqual({ key: undefined });
  });
  test('is refused from anywhere, if a header cannot have it', () => {
    expect(idempotencyKeyFrom(creating, {}, () => 'a\r\nb')).toHaveProperty('problem');
  });
  test.each(['', 'a\r\nX-Evil: 1', 'é', 'k'.repeat(256), 7, {}, '\0'])('is refused: %j', (idempotencyKey) => {
    expect(idempotencyKeyFrom(creating, { idempotencyKey }, other)).toHaveProperty('problem');
  });
});
