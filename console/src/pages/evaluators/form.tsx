/** The fields of an evaluator, with what the API said about them. */

import type { ComponentChildren } from 'preact';
import type { ErrorDetail, Evaluator, EvaluatorKind } from '../../../../clients/typescript/src/index.ts';
import { type ControlProps, FormField, messagesAt } from '../avatars/form-field.tsx';
import { useAvatars } from '../conversations/names.tsx';
import { type Draft, indented, ruleExamples, scopeNames } from './draft.ts';
import { kinds, outputText } from './texts.ts';

type Props = {
  project: string;
  draft: Draft;
  /** Name, kind and values of a stored one never change: scores are stored by them. */
  stored: Evaluator | undefined;
  details: readonly ErrorDetail[];
  /** Models that other evaluators use. */
  modelIds: readonly string[];
  onChange: (changes: Partial<Draft>) => void;
};

export function EvaluatorForm({ project, draft, stored, details, modelIds, onChange }: Props) {
  const bound = { draft, details, onChange };
  return (
    <>
      {stored ? (
        <FixedFields evaluator={stored} />
      ) : (
        <>
          <TextField
            {...bound}
            name="name"
            path={['name']}
            label="Name"
            hint="Of its scores, in lists, filters and statistics: a-z, 0-9, _ and -. It never changes."
            isRequired
          />
          <FormField label="Scores come from" messages={messagesAt(details, ['kind'])}>
            {(control) => (
              <select
                {...control}
                value={draft.kind}
                onChange={({ currentTarget: { value } }) => {
                  const kind = isKind(value) ? value : 'rule';
                  onChange({ kind, ...(kind === 'rule' && { type: 'boolean' }) });
                }}
              >
                {Object.entries(kinds).map(([kind, text]) => (
                  <option key={kind} value={kind}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </FormField>
          {draft.kind !== 'rule' && <OutputFields {...bound} />}
        </>
      )}
      <TextField
        {...bound}
        name="description"
        path={['description']}
        label="Description"
        hint="What it is about."
      />
      {draft.kind === 'rule' && <RuleField {...bound} />}
      {draft.kind === 'model' && <ModelFields {...bound} modelIds={modelIds} />}
      <details open={scopeNames.some((name) => draft[name] !== '')}>
        <summary>Only some conversations</summary>
        <Scope {...bound} project={project} />
      </details>
    </>
  );
}

export const FixedFields = ({ evaluator: { kind, output } }: { evaluator: Evaluator }) => (
  <p class="quiet">
    {kinds[kind]}; its values are {outputText(output)}. Its name, its kind and its values never change,
    because scores are stored by them.
  </p>
);

const isKind = (value: string): value is EvaluatorKind => Object.hasOwn(kinds, value);

type Bound = Pick<Props, 'draft' | 'details' | 'onChange'>;

type TextProps = Bound & {
  name: keyof Draft;
  path: readonly string[];
  label: string;
  hint?: ComponentChildren;
  isRequired?: boolean;
  /** Number of lines; without it, the field has one. */
  rows?: number;
  isCode?: boolean;
  list?: string;
};

function TextField({
  draft,
  details,
  onChange,
  name,
  path,
  label,
  hint,
  isRequired,
  rows,
  isCode,
  list,
}: TextProps) {
  const shared = (control: ControlProps) => ({
    ...control,
    required: isRequired === true,
    spellcheck: isCode !== true && rows !== undefined,
    value: draft[name],
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ [name]: currentTarget.value }),
  });
  return (
    <FormField label={label} hint={hint} messages={messagesAt(details, path)}>
      {(control) =>
        rows === undefined ? (
          <input {...shared(control)} autocomplete="off" list={list} />
        ) : (
          <textarea {...shared(control)} rows={rows} class={isCode ? '' : 'prose'} />
        )
      }
    </FormField>
  );
}

const types = {
  boolean: 'Yes or no',
  number: 'Numbers',
  category: 'One of some categories',
  text: 'Texts',
  object: 'Objects (JSON)',
} as const;

function OutputFields(bound: Bound) {
  const { draft, details, onChange } = bound;
  return (
    <>
      <FormField label="Values" messages={[...messagesAt(details, ['output', 'type'])]}>
        {(control) => (
          <select
            {...control}
            value={draft.type}
            onChange={({ currentTarget: { value } }) =>
              onChange({ type: Object.hasOwn(types, value) ? (value as Draft['type']) : 'boolean' })
            }
          >
            {Object.entries(types).map(([type, text]) => (
              <option key={type} value={type}>
                {text}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {draft.type === 'number' && (
        <div class="row range">
          <TextField {...bound} name="min" path={['output', 'min']} label="Lowest" />
          <TextField {...bound} name="max" path={['output', 'max']} label="Highest" />
        </div>
      )}
      {draft.type === 'category' && (
        <TextField
          {...bound}
          name="values"
          path={['output', 'values']}
          label="Categories"
          hint="One a line: 2 to 20."
          rows={4}
        />
      )}
      {draft.type === 'object' && (
        <TextField
          {...bound}
          name="schema"
          path={['output', 'schema']}
          label="Schema"
          hint="A part of JSON Schema. Lists and filters show only that there is a value."
          rows={8}
          isCode
        />
      )}
    </>
  );
}

function RuleField(bound: Bound) {
  return (
    <>
      <TextField
        {...bound}
        name="rule"
        path={['rule']}
        label="Rule (JSON)"
        hint={
          <>
            Combine with <code>all</code>, <code>any</code> and <code>not</code>: <code>contains</code>,{' '}
            <code>matches</code>, <code>messages</code>, <code>durationSeconds</code>,{' '}
            <code>firstAnswerSeconds</code>, <code>longestGapSeconds</code>, <code>unansweredQuestion</code>,{' '}
            <code>citations</code>, <code>repeatedAnswer</code>, <code>language</code>. Each condition has one
            of them.
          </>
        }
        rows={10}
        isCode
      />
      <details class="examples">
        <summary>Examples of rules</summary>
        <ul>
          {ruleExamples.map(([title, rule]) => (
            <li key={title}>
              <button type="button" class="link" onClick={() => bound.onChange({ rule: indented(rule) })}>
                {title}
              </button>{' '}
              <code>{JSON.stringify(rule)}</code>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function ModelFields({ modelIds, ...bound }: Bound & { modelIds: readonly string[] }) {
  return (
    <>
      <TextField
        {...bound}
        name="modelId"
        path={['model', 'modelId']}
        label="Model"
        hint="One of the models that the service lists. For another one, the service names those that it has."
        list="model-ids"
        isRequired
      />
      <datalist id="model-ids">
        {modelIds.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <TextField
        {...bound}
        name="prompt"
        path={['model', 'prompt']}
        label="Question"
        hint="The service adds the transcript and the form of the answer. The transcript may try to influence the model."
        rows={5}
        isRequired
      />
      <TextField
        {...bound}
        name="temperature"
        path={['model', 'temperature']}
        label="Temperature"
        hint="From 0 to 1. Empty: the default of the model."
      />
    </>
  );
}

function Scope({ project, ...bound }: Bound & { project: string }) {
  const avatars = useAvatars(project);
  const { draft, details, onChange } = bound;
  const known = avatars.map(({ id, name }) => [id, name.slice(0, 60)] as const);
  const isKnown = draft.avatarId === '' || known.some(([id]) => id === draft.avatarId);
  return (
    <>
      <p class="quiet">It scores by itself only conversations that have all of these.</p>
      {avatars.length > 0 ? (
        <FormField label="Avatar" messages={messagesAt(details, ['appliesTo', 'avatarId'])}>
          {(control) => (
            <select
              {...control}
              value={draft.avatarId}
              onChange={({ currentTarget }) => onChange({ avatarId: currentTarget.value })}
            >
              <option value="">Any</option>
              {(isKnown ? known : [[draft.avatarId, draft.avatarId] as const, ...known]).map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </FormField>
      ) : (
        <TextField {...bound} name="avatarId" path={['appliesTo', 'avatarId']} label="Avatar (id)" />
      )}
      <TextField
        {...bound}
        name="deploymentId"
        path={['appliesTo', 'deploymentId']}
        label="Deployment (id)"
      />
      <TextField {...bound} name="channel" path={['appliesTo', 'channel']} label="Channel" />
      <TextField {...bound} name="tag" path={['appliesTo', 'tag']} label="Tag" />
    </>
  );
}
