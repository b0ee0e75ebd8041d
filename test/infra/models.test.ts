/** The permissions and the variables of functions that ask models or list them. */

import { beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { configOf } from '../../infra/config.ts';
import { type Model, readModels } from '../../lib/models/models.ts';
import { type Resource, Synthesised } from '../../measures/stacks.ts';
import { workers } from '../../workers/index.ts';

const prices = { inputUsdPerMillionTokens: 0.06, outputUsdPerMillionTokens: 0.24 };
const limits = { 'limits.live.quotas.modelCostUsd': '100', 'limits.test.quotas.modelCostUsd': '1' };
const listed: (Model & { regions?: string[] })[] = [
  { id: 'amazon.nova-lite-v1:0', ...prices },
  {
    id: 'eu.amazon.nova-pro-v1:0',
    ...prices,
    maxInputTokens: 300_000,
    regions: ['eu-central-1', 'eu-west-1'],
  },
  { id: 'global.anthropic.claude-haiku-4-5-20251001-v1:0', ...prices, regions: ['eu-central-1'] },
];

const asking = 'audit-writer';
const listing = 'projects.get';

/** Two functions that have to do with models, and two that have not. */
const few = {
  endpoints: endpoints
    .filter(({ id }) => [listing, 'uploads.create'].includes(id))
    .map((endpoint) => ({ ...endpoint, models: endpoint.id === listing })),
  workers: workers
    .filter(({ id }) => [asking, 'knowledge-indexer'].includes(id))
    .map((worker) => ({ ...worker, models: worker.id === asking })),
};

let [withModels, without]: Synthesised[] = [];

beforeAll(() => {
  withModels = new Synthesised(configOf('prod', { ...limits, models: JSON.stringify(listed) }), few);
  without = new Synthesised(configOf('prod'), few);
});

const functionsOf = (made: Synthesised | undefined): [id: string, Resource][] =>
  [...few.endpoints, ...few.workers].map(({ id }) => {
    const name = `${id.replace(/[.-]/g, '')}Function`;
    const found = made?.ofType('AWS::Lambda::Function').find(({ logicalId }) => logicalId.startsWith(name));
    if (!found) throw new Error(`${id} has no function`);
    return [id, found];
  });

type Statement = { Action: string | string[]; Resource: unknown };

function statementsOf(made: Synthesised | undefined, { stack, Properties }: Resource): Statement[] {
  const role = made?.named(stack, Properties.Role)?.Properties as {
    Policies: { PolicyDocument: { Statement: Statement[] } }[];
  };
  return role.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).filter(({ Action }) =>
    JSON.stringify(Action).includes('bedrock'),
  );
}

/** @returns an ARN as text, with the names of references in braces */
const arnOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : (value as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1]
        .map((part) => (typeof part === 'string' ? part : `{${(part as { Ref: string }).Ref}}`))
        .join('');

describe('with models', () => {
  test('only a worker that asks them may invoke exactly them', () => {
    for (const [id, resource] of functionsOf(withModels)) {
      const statements = statementsOf(withModels, resource);
      expect(statements.length, id).toBe(id === asking ? 1 : 0);
      if (id !== asking) continue;
      expect(statements[0]?.Action).toBe('bedrock:InvokeModel');
      const arn = 'arn:{AWS::Partition}:bedrock:';
      expect([statements[0]?.Resource].flat().map(arnOf)).toEqual([
        `${arn}{AWS::Region}::foundation-model/amazon.nova-lite-v1:0`,
        `${arn}{AWS::Region}:{AWS::AccountId}:inference-profile/eu.amazon.nova-pro-v1:0`,
        `${arn}eu-central-1::foundation-model/amazon.nova-pro-v1:0`,
        `${arn}eu-west-1::foundation-model/amazon.nova-pro-v1:0`,
        `${arn}{AWS::Region}:{AWS::AccountId}:inference-profile/global.anthropic.claude-haiku-4-5-20251001-v1:0`,
        `${arn}eu-central-1::foundation-model/anthropic.claude-haiku-4-5-20251001-v1:0`,
        `${arn}::foundation-model/anthropic.claude-haiku-4-5-20251001-v1:0`,
      ]);
    }
  });

  test('only functions that declare it know the models and their prices', () => {
    for (const [id, { Properties }] of functionsOf(withModels)) {
      const { Variables } = Properties.Environment as { Variables: Record<string, string> };
      const knows = [asking, listing].includes(id);
      expect('MODELS' in Variables, id).toBe(knows);
      if (knows) expect(readModels(Variables)).toEqual(listed.map(({ regions, ...model }) => model));
    }
  });
});

test('without models, no function has a permission or a variable', () => {
  for (const [id, resource] of functionsOf(without)) {
    expect(statementsOf(without, resource), id).toEqual([]);
    expect(JSON.stringify(resource.Properties.Environment), id).not.toContain('MODELS');
  }
});
