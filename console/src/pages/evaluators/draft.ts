/** The content of the form of an evaluator. JSON stays as it is typed, and the API checks it. */

import type {
  ErrorDetail,
  Evaluator,
  EvaluatorCreateRequest,
  EvaluatorDraft,
  EvaluatorKind,
  EvaluatorUpdateRequest,
  EvaluatorVersion,
  ScoreOutput,
} from '../../../../clients/typescript/src/index.ts';
import { type Change, changesBetween, isEqual, isObject } from '../../shared/difference.ts';

export type Draft = {
  name: string;
  description: string;
  kind: EvaluatorKind;
  type: ScoreOutput['type'];
  min: string;
  max: string;
  /** The categories, one in each line. */
  values: string;
  /** The JSON Schema of an object, as text. */
  schema: string;
  /** The rule as JSON text. */
  rule: string;
  modelId: string;
  prompt: string;
  temperature: string;
  avatarId: string;
  deploymentId: string;
  channel: string;
  tag: string;
};

export const scopeNames = ['avatarId', 'deploymentId', 'channel', 'tag'] as const;

export const indented = (value: unknown): string => JSON.stringify(value, null, 2);

export const ruleExamples: readonly (readonly [string, unknown])[] = [
  ['Short, and without an apology', { all: [{ messages: { lte: 4 } }, { not: { contains: 'sorry' } }] }],
  ['The last question has no answer', { unansweredQuestion: true }],
  ['The first answer takes more than 10 seconds', { firstAnswerSeconds: { gt: 10 } }],
  [
    'The avatar says the same twice, or the user asks for a person',
    {
      any: [
        { repeatedAnswer: true },
        { matches: { pattern: '(?i)\\b(person|human|agent)\\b', role: 'user' } },
      ],
    },
  ],
];

const schemaExample = {
  type: 'object',
  properties: { topic: { type: 'string', maxLength: 60 }, urgent: { type: 'boolean' } },
  required: ['topic'],
};

export const emptyDraft: Draft = {
  name: '',
  description: '',
  kind: 'rule',
  type: 'boolean',
  min: '1',
  max: '5',
  values: '',
  schema: indented(schemaExample),
  rule: indented(ruleExamples[0]?.[1]),
  modelId: '',
  prompt: '',
  temperature: '',
  avatarId: '',
  deploymentId: '',
  channel: '',
  tag: '',
};

export function draftOf(evaluator: Evaluator): Draft {
  const { name, description, kind, output, rule, model, appliesTo } = evaluator;
  return {
    ...emptyDraft,
    name,
    description: description ?? '',
    kind,
    type: output.type,
    ...(output.type === 'number' && { min: `${output.min}`, max: `${output.max}` }),
    ...(output.type === 'category' && { values: output.values.join('\n') }),
    ...(output.type === 'object' && { schema: indented(output.schema) }),
    ...(rule && { rule: indented(rule) }),
    ...(model && {
      modelId: model.modelId,
      prompt: model.prompt,
      temperature: model.temperature === null ? '' : `${model.temperature}`,
    }),
    avatarId: appliesTo.avatarId ?? '',
    deploymentId: appliesTo.deploymentId ?? '',
    channel: appliesTo.channel ?? '',
    tag: appliesTo.tag ?? '',
  };
}

/** The body of a request, or the problems of texts that are no JSON or no number. */
export type ReadResult<Body> = { body: Body } | { problems: ErrorDetail[] };

type Content = Pick<EvaluatorCreateRequest, 'description' | 'rule' | 'model' | 'appliesTo'>;

/** @returns the fields that an evaluator of the kind has */
function readDraft(draft: Draft): ReadResult<{ content: Content; output: ScoreOutput }> {
  const problems: ErrorDetail[] = [];
  const json = (path: string, text: string): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      problems.push({ path, message: `is no JSON: ${(error as Error).message}` });
      return undefined;
    }
  };
  const number = (path: string, text: string): number => {
    const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim());
    const value = isNumber ? Number(text) : Number.NaN;
    if (Number.isNaN(value)) problems.push({ path, message: 'must be a number' });
    return value;
  };
  const output = () => {
    if (draft.type === 'number')
      return { type: draft.type, min: number('output.min', draft.min), max: number('output.max', draft.max) };
    if (draft.type === 'category') return { type: draft.type, values: linesIn(draft.values) };
    if (draft.type === 'object') return { type: draft.type, schema: json('output.schema', draft.schema) };
    return { type: draft.type };
  };
  const scope = scopeNames.map((name) => [name, draft[name].trim()] as const).filter(([, value]) => value);
  const result = {
    content: {
      description: draft.description.trim() || null,
      ...(draft.kind === 'rule' && { rule: json('rule', draft.rule) }),
      ...(draft.kind === 'model' && {
        model: {
          modelId: draft.modelId.trim(),
          prompt: draft.prompt,
          temperature:
            draft.temperature.trim() === '' ? null : number('model.temperature', draft.temperature),
        },
      }),
      appliesTo: Object.fromEntries(scope),
    },
    output: output(),
  };
  // The API says what is wrong with JSON of another form.
  return problems.length > 0 ? { problems } : { body: result as { content: Content; output: ScoreOutput } };
}

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function createBody(draft: Draft): ReadResult<EvaluatorCreateRequest> {
  const result = readDraft(draft);
  if ('problems' in result) return result;
  const { content, output } = result.body;
  return { body: { name: draft.name.trim(), kind: draft.kind, output, ...content } };
}

/** @returns only the fields that change */
export function updateBody(base: Evaluator, draft: Draft): ReadResult<EvaluatorUpdateRequest> {
  const result = readDraft(draft);
  if ('problems' in result) return result;
  const before: Readonly<Record<string, unknown>> = base;
  const changedFields = Object.entries(result.body.content).filter(
    ([name, value]) => !isEqual(before[name], value),
  );
  return { body: Object.fromEntries(changedFields) };
}

export type PreviewBody = { draft: EvaluatorDraft; filter: Evaluator['appliesTo'] };

/** @returns the body of a preview: a rule or a model, without a name */
export function previewBody(draft: Draft): ReadResult<PreviewBody> {
  const result = readDraft(draft);
  if ('problems' in result) return result;
  const { kind } = draft;
  if (kind === 'external') return { problems: [] };
  const { content, output } = result.body;
  const { rule, model, appliesTo = {} } = content;
  return {
    body: { draft: { kind, output, ...(kind === 'rule' ? { rule } : { model }) }, filter: appliesTo },
  };
}

/** @returns the messages of the API about a draft, by the fields of the form */
export const detailsOfDraft = (details: readonly ErrorDetail[]): ErrorDetail[] =>
  details.map(({ path, message }) => ({
    path: path.replace(/^draft\./, '').replace(/^filter\./, 'appliesTo.'),
    message,
  }));

/** @returns the changes of a version */
export const versionChanges = (before: EvaluatorVersion | undefined, after: EvaluatorVersion): Change[] =>
  changesBetween(before ? contentOf(before) : {}, contentOf(after)).map(wholeJson);

const contentOf = ({ description, rule, model, appliesTo, status, paused }: EvaluatorVersion) => ({
  description,
  // A rule is compared as a text, because its conditions have no names.
  rule: rule && indented(rule),
  model,
  appliesTo,
  status,
  paused,
});

const wholeJson = (change: Change): Change => ({
  ...change,
  before: isObject(change.before) ? indented(change.before) : change.before,
  after: isObject(change.after) ? indented(change.after) : change.after,
});

const labels: Readonly<Record<string, string>> = {
  description: 'Description',
  rule: 'Rule',
  model: 'Model',
  'model.modelId': 'Model',
  'model.prompt': 'Question',
  'model.temperature': 'Temperature',
  appliesTo: 'Applies to',
  'appliesTo.avatarId': 'Applies to: avatar',
  'appliesTo.deploymentId': 'Applies to: deployment',
  'appliesTo.channel': 'Applies to: channel',
  'appliesTo.tag': 'Applies to: tag',
  status: 'Status',
  paused: 'Paused',
};

export const labelOf = (path: readonly string[]): string => labels[path.join('.')] ?? path.join('.');

/** @returns the version, for `If-Match` */
export const etagOf = ({ version }: Pick<Evaluator, 'version'>): string => `"${version}"`;
