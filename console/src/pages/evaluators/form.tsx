/** The fields of an evaluator, with the messages of the API about them. */

import type { ComponentChildren } from 'preact';
import type { ErrorDetail, Evaluator, EvaluatorKind } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { type ControlProps, FormField, messagesAt } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { useAvatars } from '../conversations/names.tsx';
import { type Draft, indented, ruleExamples, scopeNames } from './draft.ts';
import { kinds, outputText } from './texts.ts';

type Props = {
  project: string;
  draft: Draft;
  /** The stored evaluator. Its name, kind and values never change, because scores are stored by them. */
  evaluator: Evaluator | undefined;
  details: readonly ErrorDetail[];
  onChange: (changes: Partial<Draft>) => void;
};

export function EvaluatorForm({ project, draft, evaluator, details, onChange }: Props) {
  const form = { draft, details, onChange };
  return (
    <>
      {evaluator ? (
        <FixedFields evaluator={evaluator} />
      ) : (
        <>
          <TextField
            {...form}
            name="name"
            path={['name']}
            label="Name"
            hint="The name of its scores in lists, filters and statistics: a-z, 0-9, _ and -. It never changes."
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
          {draft.kind !== 'rule' && <OutputFields {...form} />}
        </>
      )}
      <TextField
        {...form}
        name="description"
        path={['description']}
        label="Description"
        hint="What the evaluator is about."
      />
      {draft.kind === 'rule' && <RuleField {...form} />}
      {draft.kind === 'model' && <ModelFields {...form} />}
      <details open={scopeNames.some((name) => draft[name] !== '')}>
        <summary>Only some conversations</summary>
        <Scope {...form} project={project} />
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

type FormState = Pick<Props, 'draft' | 'details' | 'onChange'>;

type TextProps = FormState & {
  name: keyof Draft;
  path: readonly string[];
  label: string;
  hint?: ComponentChildren;
  isRequired?: boolean;
  /** The number of lines; undefined for an input of one line. */
  rows?: number;
  isCode?: boolean;
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
}: TextProps) {
  const propsOf = (control: ControlProps) => ({
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
          <input {...propsOf(control)} autocomplete="off" />
        ) : (
          <textarea {...propsOf(control)} rows={rows} class={isCode ? '' : 'prose'} />
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

function OutputFields(form: FormState) {
  const { draft, details, onChange } = form;
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
          <TextField {...form} name="min" path={['output', 'min']} label="Lowest" />
          <TextField {...form} name="max" path={['output', 'max']} label="Highest" />
        </div>
      )}
      {draft.type === 'category' && (
        <TextField
          {...form}
          name="values"
          path={['output', 'values']}
          label="Categories"
          hint="One in each line, 2 to 20."
          rows={4}
        />
      )}
      {draft.type === 'object' && (
        <TextField
          {...form}
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

function RuleField(form: FormState) {
  return (
    <>
      <TextField
        {...form}
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
              <button type="button" class="link" onClick={() => form.onChange({ rule: indented(rule) })}>
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

/** The listed models. The model of the evaluator stays one of them, although the service may not list it any more. */
function ModelFields(form: FormState) {
  const { draft, details, onChange } = form;
  const { data, error } = useLoad((signal) => platform().models.list({ limit: 100 }, { signal }), []);
  const listed = data?.items.map(({ id }) => id) ?? [];
  const ids = draft.modelId === '' || listed.includes(draft.modelId) ? listed : [draft.modelId, ...listed];
  return (
    <>
      <Problem error={error} />
      <FormField
        label="Model"
        hint={data?.items.length === 0 ? 'The service lists no models.' : undefined}
        messages={messagesAt(details, ['model', 'modelId'])}
      >
        {(control) => (
          <select
            {...control}
            required
            value={draft.modelId}
            onChange={({ currentTarget }) => onChange({ modelId: currentTarget.value })}
          >
            <option value="">Choose a model</option>
            {ids.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <TextField
        {...form}
        name="prompt"
        path={['model', 'prompt']}
        label="Question"
        hint="The service adds the transcript and the form of the answer. The transcript may try to influence the model."
        rows={5}
        isRequired
      />
      <TextField
        {...form}
        name="temperature"
        path={['model', 'temperature']}
        label="Temperature"
        hint="From 0 to 1. If it is empty, the default of the model applies."
      />
    </>
  );
}

function Scope({ project, ...form }: FormState & { project: string }) {
  const avatars = useAvatars(project);
  const { draft, details, onChange } = form;
  const options = avatars.map(({ id, name }) => [id, name.slice(0, 60)] as const);
  const isListed = draft.avatarId === '' || options.some(([id]) => id === draft.avatarId);
  return (
    <>
      <p class="quiet">The evaluator scores by itself only conversations that match all of these.</p>
      {avatars.length > 0 ? (
        <FormField label="Avatar" messages={messagesAt(details, ['appliesTo', 'avatarId'])}>
          {(control) => (
            <select
              {...control}
              value={draft.avatarId}
              onChange={({ currentTarget }) => onChange({ avatarId: currentTarget.value })}
            >
              <option value="">Any</option>
              {(isListed ? options : [[draft.avatarId, draft.avatarId] as const, ...options]).map(
                ([id, name]) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ),
              )}
            </select>
          )}
        </FormField>
      ) : (
        <TextField {...form} name="avatarId" path={['appliesTo', 'avatarId']} label="Avatar (id)" />
      )}
      <TextField {...form} name="deploymentId" path={['appliesTo', 'deploymentId']} label="Deployment (id)" />
      <TextField {...form} name="channel" path={['appliesTo', 'channel']} label="Channel" />
      <TextField {...form} name="tag" path={['appliesTo', 'tag']} label="Tag" />
    </>
  );
}
