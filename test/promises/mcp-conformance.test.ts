/**
 * `POST /mcp` of the dev server against the conformance suite of the protocol, with everything that the suite requires for each
 * revision. The suite also requires features that a server may leave out, and tests them with tools of its own. The lists below
 * name each check that cannot pass for such a reason. Every other check must pass, and each named check must still fail, so that
 * the lists stay true.
 */

import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DevServer, startDevServer } from '../support/dev-server.ts';
import { openMcpProxy } from '../support/mcp.ts';
import { checker } from '../support/npm-package.ts';

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
let server: DevServer;
let proxy: Awaited<ReturnType<typeof openMcpProxy>>;

beforeAll(async () => {
  server = await startDevServer();
  proxy = await openMcpProxy(server);
});
afterAll(async () => {
  proxy?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Check = { id: string; status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO' };

/** @returns the checks of each scenario that the revision requires, and of those that the suite runs with them */
async function checksOf(suite: string, revision: string): Promise<Map<string, Check[]>> {
  const output = join(folder, revision);
  const program = join(suite, 'dist/index.js');
  const args = [program, 'server', '--url', proxy.url, '--requirements', revision, '--output-dir', output];
  // It exits with 1 as soon as one check fails.
  await new Promise((done) => execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, done));
  const files = globSync('*/checks.json', { cwd: output }).sort();
  return new Map(
    files.map((file) => {
      const [, scenario = ''] = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(basename(dirname(file))) ?? [];
      return [scenario, JSON.parse(readFileSync(join(output, file), 'utf8')) as Check[]] as const;
    }),
  );
}

const failedIn = (checks: ReadonlyMap<string, readonly Check[]>) =>
  new Set(
    [...checks].flatMap(([scenario, all]) =>
      all
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id }) => `${scenario}: ${id}`),
    ),
  );

const prompts = 'the server has no prompts';
const resources = 'the server has no resources';
const completion = 'the server completes no arguments';
const logging = 'the server sends no log messages';
const content = 'no tool answers with images, audio or embedded resources';
const notifications = 'the server answers with JSON, without progress and other notifications';
const questions = 'no tool asks the user, the model or the client for more input';
const session = 'the server keeps no session, and no stream that could continue';
const tasks = 'the server does not have the extension for tasks: the jobs of the API are its long work';
const headers = 'no tool takes an argument from a header';
const schema = 'the suite looks for a tool of its own example server, whose schema has all keywords';
const simple = 'the suite looks for a tool of its own example server, whose answer it knows';

/** The checks that cannot pass, by revision and reason. */
const notOffered: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '2025-11-25': {
    [prompts]: [
      'prompts-get-embedded-resource: prompts-get-embedded-resource',
      'prompts-get-simple: prompts-get-simple',
      'prompts-get-with-args: prompts-get-with-args',
      'prompts-get-with-image: prompts-get-with-image',
      'prompts-list: prompts-list',
    ],
    [resources]: [
      'resources-list: resources-list',
      'resources-read-binary: resources-read-binary',
      'resources-read-text: resources-read-text',
      'resources-subscribe: resources-subscribe',
      'resources-templates-read: resources-templates-read',
      'resources-unsubscribe: resources-unsubscribe',
    ],
    [completion]: ['completion-complete: completion-complete'],
    [logging]: ['logging-set-level: logging-set-level', 'tools-call-with-logging: tools-call-with-logging'],
    [content]: [
      'tools-call-audio: tools-call-audio',
      'tools-call-embedded-resource: tools-call-embedded-resource',
      'tools-call-image: tools-call-image',
      'tools-call-mixed-content: tools-call-mixed-content',
    ],
    [notifications]: ['tools-call-with-progress: tools-call-with-progress'],
    [questions]: [
      'elicitation-sep1034-defaults: elicitation-sep1034-general',
      'elicitation-sep1330-enums: elicitation-sep1330-general',
      'tools-call-elicitation: tools-call-elicitation',
      'tools-call-sampling: tools-call-sampling',
    ],
    [session]: [
      'server-sse-multiple-streams: server-sse-multiple-streams-session',
      'server-sse-polling: server-sse-polling-session',
    ],
    [schema]: ['json-schema-2020-12: json-schema-2020-12-tool-found'],
    [simple]: ['tools-call-simple-text: tools-call-simple-text', 'tools-call-error: tools-call-error'],
  },
  '2026-07-28': {
    [prompts]: [
      'caching: sep-2549-prompts-list-caching-hints',
      'input-required-result-non-tool-request: sep-2322-non-tool-incomplete',
      'prompts-get-embedded-resource: prompts-get-embedded-resource',
      'prompts-get-simple: prompts-get-simple',
      'prompts-get-with-args: prompts-get-with-args',
      'prompts-get-with-image: prompts-get-with-image',
      'prompts-list: prompts-list',
    ],
    [resources]: [
      'caching: sep-2549-resources-list-caching-hints',
      'caching: sep-2549-resources-templates-list-caching-hints',
      'resources-list: resources-list',
      'resources-read-binary: resources-read-binary',
      'resources-read-text: resources-read-text',
      'resources-templates-read: resources-templates-read',
      'sep-2164-resource-not-found: sep-2164-data-uri',
      'sep-2164-resource-not-found: sep-2164-error-code',
    ],
    [completion]: ['completion-complete: completion-complete'],
    [logging]: ['server-stateless: sep-2575-server-no-log-without-loglevel'],
    [content]: [
      'tools-call-audio: tools-call-audio',
      'tools-call-embedded-resource: tools-call-embedded-resource',
      'tools-call-image: tools-call-image',
      'tools-call-mixed-content: tools-call-mixed-content',
    ],
    [notifications]: ['tools-call-with-progress: tools-call-with-progress'],
    [questions]: [
      'input-required-result-basic-elicitation: sep-2322-elicitation-incomplete',
      'input-required-result-basic-list-roots: sep-2322-list-roots-incomplete',
      'input-required-result-basic-sampling: sep-2322-sampling-incomplete',
      'input-required-result-capability-check: sep-2322-respect-client-capabilities',
      'input-required-result-ignore-extra-params: sep-2322-ignore-unexpected-params',
      'input-required-result-missing-input-response: sep-2322-missing-response-rerequests',
      'input-required-result-multi-round: sep-2322-multi-round-r1',
      'input-required-result-multiple-input-requests: sep-2322-multiple-inputs-incomplete',
      'input-required-result-request-state: sep-2322-request-state-incomplete',
      'input-required-result-result-type: sep-2322-result-type-included',
      'input-required-result-tampered-state: sep-2322-reject-tampered-state',
      'server-stateless: sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless: sep-2575-missing-capability-http-400',
      'server-stateless: sep-2575-server-rejects-undeclared-capability',
    ],
    [tasks]: [
      'tasks-capability-negotiation: sep-2663-server-rejects-undeclared-client',
      'tasks-dispatch-and-envelope: sep-2663-legacy-task-param-ignored',
      'tasks-dispatch-and-envelope: tasks-immediate-result-shortcut',
      'tasks-dispatch-and-envelope: tasks-result-type-complete-on-non-task-responses',
      'tasks-lifecycle: tasks-sync-tool-call',
      'tasks-capability-negotiation: sep-2663-tasks-methods-non-declaring',
      'tasks-capability-negotiation: tasks-extension-advertised',
      'tasks-capability-negotiation: tasks-per-request-meta-opt-in',
      'tasks-dispatch-and-envelope: sep-2663-durable-create-strong-consistency',
      'tasks-dispatch-and-envelope: sep-2663-tasks-get-invalid-task-id-32602',
      'tasks-dispatch-and-envelope: tasks-server-directed-creation-no-hint',
      'tasks-lifecycle: sep-2663-cancel-ack-empty-result',
      'tasks-lifecycle: sep-2663-result-type-task-on-create',
      'tasks-lifecycle: sep-2663-tasks-get-status-completed',
      'tasks-lifecycle: sep-2663-tasks-get-status-failed',
      'tasks-lifecycle: sep-2663-tasks-get-status-working',
      'tasks-lifecycle: sep-2663-tool-error-uses-completed-status',
      'tasks-lifecycle: tasks-cancel-terminal-idempotent-ack',
      'tasks-mrtr-composition: sep-2663-mrtr-synchronous-before-task-creation',
      'tasks-mrtr-input: sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-input: tasks-mrtr-partial-fulfillment',
      'tasks-mrtr-input: tasks-mrtr-tasks-update-resumes',
      'tasks-request-headers: sep-2663-routing-headers-accepted-on-tasks-get',
      'tasks-request-headers: sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-request-headers: tasks-headers-tolerate-mcp-method-on-tools-call',
      'tasks-request-state-removal: tasks-request-state-removal-setup',
      'tasks-required-task-error: sep-2663-server-returns-missing-capability-when-required',
      'tasks-wire-fields: tasks-no-early-ttl-expiry',
      'tasks-wire-fields: tasks-no-related-task-meta-on-inlined-result',
      'tasks-wire-fields: tasks-wire-field-renames',
    ],
    [headers]: [
      'http-custom-header-server-validation: sep-2243-server-decode-base64',
      'http-custom-header-server-validation: sep-2243-server-no-xmcp-tool',
      'http-custom-header-server-validation: sep-2243-server-reject-invalid-param-chars',
      'http-custom-header-server-validation: sep-2243-server-reject-param-mismatch',
      'http-custom-header-server-validation: sep-2243-server-validate-param-match',
    ],
    [schema]: ['json-schema-2020-12: json-schema-2020-12-tool-found'],
    [simple]: ['tools-call-simple-text: tools-call-simple-text', 'tools-call-error: tools-call-error'],
  },
};

/** How many checks pass at least: a server that answers nothing fails few checks that are not named. */
const passing = { '2025-11-25': 30, '2026-07-28': 90 };

test.for(Object.entries(passing))('revision %s', { tags: ['long'] }, async ([revision, least], context) => {
  const suite = checker('@modelcontextprotocol/conformance');
  if (!suite) return context.skip('the conformance suite cannot be installed');
  const checks = await checksOf(suite, revision);
  expect([...failedIn(checks)].sort()).toEqual(
    Object.values(notOffered[revision] ?? {})
      .flat()
      .sort(),
  );
  const passed = [...checks.values()].flat().filter(({ status }) => status === 'SUCCESS');
  expect(passed.length).toBeGreaterThan(least);
});
