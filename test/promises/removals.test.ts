/**
 * An agent makes nothing disappear that a read returned before, unless a person allows it (docs/mcp.md): neither at once, nor by a
 * later refresh or timer. Every tool is called with every argument, with values from its schema, so a new tool and a new argument are
 * tested by themselves. What a declaration says to remove disappears, too.
 */
// @module-tag long

import { describe, expect, test } from 'vitest';
import { removalBy, type Tool, toolNamed, tools } from '../../lib/mcp/tools.ts';
import { argumentsToTry, goneLater, openWorld, readAll, useOf } from '../support/removals.ts';

type Reads = Awaited<ReturnType<typeof readAll>>;
type World = Awaited<ReturnType<typeof openWorld>>;

/** Arguments that are not tried, with the reason. */
const notTried: Readonly<Record<string, string>> = {
  'replies_create: input': 'the avatar of the conversation here has no model',
  'replies_create: retryOf': 'the avatar of the conversation here has no model',
  'replies_create: target': 'the avatar of the conversation here has no model',
  'replies_create: maxCostUsd': 'the avatar of the conversation here has no model',
  'replies_create: dryRun': 'the avatar of the conversation here has no model',
  'deployments_create: from': 'it names another environment than the sample, and there is no other',
  'rollouts_start: deploymentId': 'no deployment is staged here',
  'rollouts_start: percent': 'no deployment is staged here',
  'rollouts_start: steps': 'no deployment is staged here',
  'rollouts_start: guards': 'no deployment is staged here',
  'rollouts_start: onBreach': 'no deployment is staged here',
  'rollouts_start: reason': 'no deployment is staged here',
  'rollouts_update: percent': 'no rollout runs here',
  'rollouts_update: paused': 'no rollout runs here',
  'rollouts_update: reason': 'no rollout runs here',
  'rollouts_advance: reason': 'no rollout runs here',
  'rollouts_complete: reason': 'no rollout runs here',
  'evaluation_runs_create: evaluators': 'an earlier round archives the evaluator of the sample',
  'evaluation_runs_create: draft': 'only for previews',
  'evaluators_update: model': 'the evaluators here have no model',
  'knowledge_documents_update: mimeType': 'only together with content',
  projects_restore: 'no project is deleted',
};

/**
 * Calls the tools with each value of each argument that they may have: with the first values, and what follows from these calls; then
 * with the second; and so on, because a value replaces another.
 * @returns what is gone after the calls of a round, and the arguments of which no value was ever accepted
 */
async function useFreely(world: World, reads: Reads, some: readonly Tool[]) {
  const refused = new Set<string>();
  const uses: { name: string; values: unknown[]; call: (value: unknown) => Promise<boolean> }[] = [];
  for (const tool of some) {
    const use = await useOf(world, reads, tool);
    const all = await argumentsToTry(world, tool);
    // A tool without arguments is called once.
    if (all.length === 0) uses.push({ name: tool.name, values: [{}], call: () => use({}, false) });
    for (const [argument, every] of all) {
      const values = every.filter((value) => removalBy(tool, argument, value) === undefined);
      const name = `${tool.name}: ${argument}`;
      if (values.length > 0) uses.push({ name, values, call: (value) => use({ [argument]: value }, false) });
    }
  }
  for (const { name } of uses) refused.add(name);
  const rounds = Math.max(...uses.map(({ values }) => values.length));
  for (let round = 0; round < rounds; round += 1) {
    const calls: string[] = [];
    for (const { name, values, call } of uses) {
      if (round >= values.length || !(await call(values[round]))) continue;
      refused.delete(name);
      calls.push(`${name}: ${JSON.stringify(values[round])}`);
      await world.reactivate();
    }
    const gone = await goneLater(world, reads);
    if (gone.length > 0) return { gone, calls, refused: [] };
  }
  return { gone: [], calls: [], refused: [...refused] };
}

const named = (name: string): Tool => {
  const tool = toolNamed(name);
  if (!tool) throw new Error(`there is no tool ${name}`);
  return tool;
};

const writing = tools.filter(({ isReading, removes }) => !isReading && removes === undefined);

test('the arguments of a source that stay make no document disappear', async () => {
  const world = await openWorld();
  const reads = await readAll(world.api);
  expect([...reads.keys()].some((path) => path.includes('/knowledge/documents/'))).toBe(true);
  const tool = named('knowledge_sources_update');
  expect(await useFreely(world, reads, [tool])).toEqual({ gone: [], calls: [], refused: [] });
});

describe('what a declaration says to remove disappears', () => {
  // A confirmation removes what a refresh has held back, and the refreshes here confirm.
  const declared = tools
    .filter(({ name }) => name !== 'knowledge_sources_refresh')
    .flatMap((tool) =>
      Object.entries(tool.destructiveArguments).map(([name, removal]) => ({ tool, name, removal })),
    );
  test.each(declared)('$tool.name: $name', async ({ tool, name, removal }) => {
    const world = await openWorld();
    const reads = await readAll(world.api);
    const use = await useOf(world, reads, tool);
    const values = (await argumentsToTry(world, tool)).find(([one]) => one === name)?.[1] ?? [];
    for (const value of 'if' in removal ? [removal.if] : values) {
      expect(await use({ [name]: value }, false)).toBe(false);
      if (!(await use({ [name]: value }, true))) continue;
      if ((await goneLater(world, reads)).length > 0) return;
    }
    expect.fail('nothing disappears');
  });
});

test('no tool makes anything disappear without a declaration', async () => {
  const world = await openWorld();
  const reads = await readAll(world.api);
  expect(await useFreely(world, reads, writing)).toEqual({
    gone: [],
    calls: [],
    refused: Object.keys(notTried),
  });
});
