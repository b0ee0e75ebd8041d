/**
 * A turn of a runtime: the kit, with and without a folder, in pairs with the same program by hand, as a team would write it with fetch
 * alone. It numbers its messages, but it does not buffer, survives no kill, and reads the configuration for each conversation.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform } from '../clients/typescript/src/index.ts';
import { openSession } from '../clients/typescript/src/runtime/index.ts';
import { startDevProcess } from '../scripts/local/dev-process.ts';
import { budgets } from './budgets.ts';
import type { Findings } from './findings.ts';
import { inTurn, pairs } from './rounds.ts';
import { median, ratios, spread } from './statistics.ts';

const turnsPerRound = 10;
const question = 'How do I send something back?';

/** The calls and the milliseconds of a part of a conversation; of a turn, the mean of a round. */
type Part = { calls: number; ms: number };
type Round = { open: Part; withSearch: Part; withoutSearch: Part };
type Turns = { turn: (number: number, isSearched: boolean) => Promise<void>; end: () => Promise<void> };

export async function turns(): Promise<Findings> {
  const service = await startDevProcess();
  const folder = mkdtempSync(join(tmpdir(), 'bench-turns-'));
  try {
    const runtime = await prepare(service);
    const kit = kitOf(runtime);
    const { byHand, ours, ...others } = await inTurn(
      {
        ours: () => measure(kit),
        oursWithFolder: () => measure((...way) => kit(...way, folder)),
        byHand: () => measure(handOf(runtime)),
      },
      { what: 'turns', rounds: pairs, warmUps: 3, settleMs: 3000 },
    );
    const parts = ['open', 'withSearch', 'withoutSearch'] as const;
    const row = (name: string, all: readonly Round[]) => [
      name,
      ...parts.map((part) => {
        const calls = median(all.map((one) => one[part].calls));
        return `${calls}, ${spread(
          all.map((one) => one[part].ms),
          'ms',
        )}`;
      }),
      ...parts.slice(1).map((part) => {
        const [mine, theirs] = [all, byHand].map((rounds) => rounds.map((one) => one[part].ms));
        return all === byHand ? '' : spread(ratios(mine ?? [], theirs ?? []));
      }),
    ];
    const most = (part: 'withSearch' | 'withoutSearch') =>
      Math.max(...[...ours, ...others.oursWithFolder].map((one) => one[part].calls));
    return {
      head: ['', 'start', 'turn with a search', 'turn without', 'ratio with', 'ratio without'],
      rows: [
        row('the kit', ours),
        row('the kit, with a folder', others.oursWithFolder),
        row('by hand', byHand),
      ],
      notes:
        `Calls, one after the other, and the time of a turn. Budgets: at most ${budgets.searchTurnCalls} calls for a turn with a search, and ` +
        `${budgets.turnCalls} for a turn without.`,
      rounds: `${pairs} rounds of ${turnsPerRound} turns of each kind, in turn`,
      budgeted: [
        { budget: 'searchTurnCalls', what: 'calls of a turn with a search', value: most('withSearch') },
        { budget: 'turnCalls', what: 'calls of a turn without a search', value: most('withoutSearch') },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
    await service.stop();
  }
}

type Runtime = { baseUrl: string; apiKey: string; project: string; avatar: string };

/** A deployed avatar that knows a document, and the key of its runtime. */
async function prepare({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<Runtime> {
  const platform = new Platform({ baseUrl, apiKey });
  const { id } = await platform.projects.create({ name: 'turns' });
  const project = platform.projects(id);
  const content = 'Send anything back within thirty days.';
  await project.knowledge.documents.create({ title: 'Returns', content, tags: ['shop'] });
  await project.jobs.waitForSuccess(project.knowledge.reindex());
  const persona = { prompt: 'You help customers of a shop.' };
  const avatar = await project.avatars.create({ name: 'Clara', persona, knowledgeTags: ['shop'] });
  await project.deployments.create({ environment: 'production' });
  const key = await platform.apiKeys.create({ name: 'runtime', scopes: ['runtime:write'], projectIds: [id] });
  return { baseUrl, apiKey: key.secret, project: id, avatar: avatar.id };
}

async function measure(start: (externalId: string, called: () => void) => Promise<Turns>): Promise<Round> {
  let calls = 0;
  const timed = async (act: () => Promise<void>, times: number): Promise<Part> => {
    calls = 0;
    const begun = performance.now();
    await act();
    return { calls: calls / times, ms: (performance.now() - begun) / times };
  };
  let conversation: Turns | undefined;
  const open = await timed(async () => {
    conversation = await start(`call-${crypto.randomUUID()}`, () => {
      calls += 1;
    });
  }, 1);
  let number = 0;
  const all = (isSearched: boolean) =>
    timed(async () => {
      for (let turn = 0; turn < turnsPerRound; turn += 1) await conversation?.turn(number++, isSearched);
    }, turnsPerRound);
  const [withSearch, withoutSearch] = [await all(true), await all(false)];
  await conversation?.end();
  return { open, withSearch, withoutSearch };
}

const kitOf = ({ baseUrl, apiKey, project, avatar }: Runtime) => {
  let called = () => {};
  // All conversations of a process share the configuration.
  const platform = new Platform({ baseUrl, apiKey, onRequest: () => called() });
  return async (externalId: string, onCall: () => void, folder?: string): Promise<Turns> => {
    called = onCall;
    const where = { project, environment: 'production', avatar, externalId, folder };
    const session = await openSession(platform, where);
    return {
      async turn(number, isSearched) {
        const citations = isSearched ? await session.search(question) : [];
        const text = `answer ${number}`;
        await session.append({ role: 'user', text: question }, { role: 'avatar', text, citations });
      },
      end: () => session.end(),
    };
  };
};

const handOf =
  ({ baseUrl, apiKey, project, avatar }: Runtime) =>
  async (externalId: string, called: () => void): Promise<Turns> => {
    const call = async (method: string, path: string, body?: object) => {
      called();
      const response = await fetch(`${baseUrl}/projects/${project}${path}`, {
        method,
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const { data, error } = await response.json();
      if (!response.ok) throw new Error(`${method} ${path}: ${error.message}`);
      return data;
    };
    const { deploymentId } = await call('GET', '/environments/production/config');
    const start = { avatarId: avatar, deploymentId, resume: true };
    const { conversation } = await call('PUT', `/conversations/by-external-id/${externalId}`, start);
    const query = new URLSearchParams({ q: question, deploymentId, tag: 'shop', limit: '5' });
    return {
      async turn(number, isSearched) {
        type Hit = { documentId: string };
        const hits: Hit[] = isSearched ? (await call('GET', `/knowledge/search?${query}`)).items : [];
        const citations = hits.map(({ documentId }) => ({ documentId }));
        const messages = [
          { role: 'user', text: question, clientMessageId: `user-${number}` },
          { role: 'avatar', text: `answer ${number}`, citations, clientMessageId: `avatar-${number}` },
        ];
        await call('POST', `/conversations/${conversation.id}/messages`, { messages });
      },
      end: () => call('POST', `/conversations/${conversation.id}/end`, { reason: 'completed' }),
    };
  };
