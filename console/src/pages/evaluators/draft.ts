/** What the form of an evaluator edits. JSON stays as it is typed; the API checks what it says. */

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
import { type Change, changesBetween, isEqual, isObject } from '../../parts/difference.ts';

export type Draft = {
  name: string;
  description: string;
  kind: EvaluatorKind;
  type: ScoreOutput['type'];
  min: string;
  max: string;
  /** One a line. */
  values: string;
  /** JSON. */
  schema: string;
  /** JSON. */
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

/** What cannot be sent, because it is no JSON or no number. */
export type Read<Body> = { body: Body } | { problems: ErrorDetail[] };

type Content = Pick<EvaluatorCreateRequest, 'description' | 'rule' | 'model' | 'appliesTo'>;

/** @returns the fields that an evaluator of the kind has */
function read(draft: Draft): Read<{ content: Content; output: ScoreOutput }> {
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
  const found = {
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
  return problems.length > 0 ? { problems } : { body: found as { content: Content; output: ScoreOutput } };
}

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function createBody(draft: Draft): Read<EvaluatorCreateRequest> {
  const found = read(draft);
  if ('problems' in found) return found;
  const { content, output } = found.body;
  return { body: { name: draft.name.trim(), kind: draft.kind, output, ...content } };
}

/** @returns only what changes */
export function updateBody(base: Evaluator, draft: Draft): Read<EvaluatorUpdateRequest> {
  const found = read(draft);
  if ('problems' in found) return found;
  const before: Readonly<Record<string, unknown>> = base;
  const changed = Object.entries(found.body.content).filter(([name, value]) => !isEqual(before[name], value));
  return { body: Object.fromEntries(changed) };
}

export type PreviewBody = { draft: EvaluatorDraft; filter: Evaluator['appliesTo'] };

/** @returns what a preview evaluates; a rule or a model without a name */
export function previewBody(draft: Draft): Read<PreviewBody> {
  const found = read(draft);
  if ('problems' in found) return found;
  const { kind } = draft;
  if (kind === 'external') return { problems: [] };
  const { content, output } = found.body;
  const { rule, model, appliesTo = {} } = content;
  return {
    body: { draft: { kind, output, ...(kind === 'rule' ? { rule } : { model }) }, filter: appliesTo },
  };
}

/** @returns what the API said about a draft, by the fields of the form */
export const detailsOfDraft = (details: readonly ErrorDetail[]): ErrorDetail[] =>
  details.map(({ path, message }) => ({
    path: path.replace(/^draft\./, '').replace(/^filter\./, 'appliesTo.'),
    message,
  }));

/** @returns what a version has changed */
export const versionChanges = (before: EvaluatorVersion | undefined, after: EvaluatorVersion): Change[] =>
  changesBetween(before ? contentOf(before) : {}, contentOf(after)).map(wholeJson);

const contentOf = ({ description, rule, model, appliesTo, status, paused }: EvaluatorVersion) => ({
  description,
  // A rule is compared as a text: its parts have no names.
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
