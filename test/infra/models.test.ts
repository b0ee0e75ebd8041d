/** The permissions and the variables of functions that ask models or list them. */

import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { endpoints } from '../../functions/index.ts';
import { configOf } from '../../infra/config.ts';
import type { ListedModel } from '../../infra/model-settings.ts';
import { modelsFiles } from '../../infra/models.ts';
import { codeOf } from '../../infra/service-function.ts';
import { readModels } from '../../lib/models/models.ts';
import { type Resource, Synthesised } from '../../measures/stacks.ts';
import { workers } from '../../workers/index.ts';

const prices = { inputUsdPerMillionTokens: 0.06, outputUsdPerMillionTokens: 0.24 };
const limits = { 'limits.live.quotas.modelCostUsd': '100', 'limits.test.quotas.modelCostUsd': '1' };
const listed: ListedModel[] = [
  { id: 'amazon.nova-lite-v1:0', ...prices },
  {
    id: 'eu.amazon.nova-pro-v1:0',
    ...prices,
    maxInputTokens: 300_000,
    regions: ['eu-central-1', 'eu-west-1'],
  },
  { id: 'global.anthropic.claude-haiku-4-5-20251001-v1:0', ...prices, regions: ['eu-central-1'] },
  {
    id: 'own.small',
    ...prices,
    maxOutputTokens: 5000,
    baseUrl: 'https://models.corp:8443/v1',
    model: 'small',
    secretName: 'models/own',
    privateHosts: ['models.corp'],
  },
  {
    id: 'gpt-mini',
    ...prices,
    baseUrl: 'https://api.example.com/v1',
    model: 'gpt-mini',
    parameterName: '/models/gpt',
    maxTokensField: 'max_completion_tokens',
  },
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

let [withModels, streaming, without]: Synthesised[] = [];

beforeAll(() => {
  const config = configOf('prod', { ...limits, models: JSON.stringify(listed) });
  withModels = new Synthesised(config, few);
  const streams = few.workers.map((worker) => ({ ...worker, streams: worker.models }));
  streaming = new Synthesised(config, { ...few, workers: streams });
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
    /bedrock|secretsmanager|ssm/.test(JSON.stringify(Action)),
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
  test.each([false, true])(
    'only a worker that asks them may invoke exactly them; it streams: %s',
    (streams) => {
      const made = streams ? streaming : withModels;
      for (const [id, resource] of functionsOf(made)) {
        const statements = statementsOf(made, resource);
        expect(statements.length, id).toBe(id === asking ? 3 : 0);
        if (id !== asking) continue;
        expect(statements.map(({ Action }) => Action)).toEqual([
          streams ? ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'] : 'bedrock:InvokeModel',
          'secretsmanager:GetSecretValue',
          'ssm:GetParameter',
        ]);
        expect(statements.slice(1).flatMap(({ Resource }) => [Resource].flat().map(arnOf))).toEqual([
          'arn:{AWS::Partition}:secretsmanager:{AWS::Region}:{AWS::AccountId}:secret:models/own-??????',
          'arn:{AWS::Partition}:ssm:{AWS::Region}:{AWS::AccountId}:parameter/models/gpt',
        ]);
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
    },
  );

  test('only functions that declare it have the file with the models and their prices', () => {
    for (const [id, { Properties }] of functionsOf(withModels)) {
      const { Variables } = Properties.Environment as { Variables: Record<string, string> };
      expect(Variables.MODELS_FILE, id).toBe([asking, listing].includes(id) ? 'models.json' : undefined);
      expect('MODELS' in Variables, id).toBe(false);
    }
    const config = configOf('prod', { ...limits, models: JSON.stringify(listed) });
    const { 'models.json': file = '' } = modelsFiles({ models: true }, config);
    const models = readModels({ MODELS_FILE: 'models.json' }, () => file);
    expect(models.slice(0, 3)).toEqual(listed.slice(0, 3).map(({ regions, ...model }) => model));
    expect(models.slice(3)).toEqual([
      {
        id: 'own.small',
        ...prices,
        maxOutputTokens: 5000,
        endpoint: {
          baseUrl: 'https://models.corp:8443/v1',
          model: 'small',
          key: { secretName: 'models/own' },
          privateHosts: ['models.corp'],
        },
      },
      {
        id: 'gpt-mini',
        ...prices,
        endpoint: {
          baseUrl: 'https://api.example.com/v1',
          model: 'gpt-mini',
          key: { parameterName: '/models/gpt' },
          maxTokensField: 'max_completion_tokens',
        },
      },
    ]);
    expect(modelsFiles({ models: false }, config)).toEqual({});
  });

  test('the file is in the code that is deployed', () => {
    const app = new App();
    const stack = new Stack(app, 'Stack');
    const folder = mkdtempSync(join(tmpdir(), 'code-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'index.mjs'), '');
    new LambdaFunction(stack, 'Function', {
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: codeOf(folder, { 'models.json': '[]' }),
    });
    const { directory } = app.synth();
    onTestFinished(() => rmSync(directory, { recursive: true }));
    expect(
      globSync('asset.*/*', { cwd: directory })
        .map((file) => basename(file))
        .sort(),
    ).toEqual(['index.mjs', 'models.json']);
  });

  test('fifty models are a file, because the variables of a function have 4 KB', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      id: `own.${index}`,
      ...prices,
      baseUrl: `https://models${index}.example.com/v1`,
      model: 'm'.repeat(100),
    }));
    const models = JSON.stringify(many);
    expect(configOf('prod', { ...limits, models }).models).toHaveLength(50);
    expect(() =>
      configOf('prod', { ...limits, models: JSON.stringify([...many, { ...many[0], id: 'a' }]) }),
    ).toThrow('models');
  });
});

test('without models, no function has a permission or a variable', () => {
  for (const [id, resource] of functionsOf(without)) {
    expect(statementsOf(without, resource), id).toEqual([]);
    expect(JSON.stringify(resource.Properties.Environment), id).not.toContain('MODELS');
  }
});
