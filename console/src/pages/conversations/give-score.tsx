/** The form for the score of a person, who chooses the evidence at the messages or types its numbers. */

import { useEffect, useRef, useState } from 'preact/hooks';
import {
  ApiError,
  type Conversation,
  type ErrorDetail,
  type Score,
  type ScoreOutput,
} from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/basics.tsx';
import { type ControlProps, FormEnd, FormField, messagesAt } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { keyText } from '../../shared/score.tsx';
import { readValue, seqsIn } from './score-value.ts';
import type { ScoreDraft, Scores } from './use-scores.ts';

type Props = { project: string; conversation: Conversation; scores: Scores; draft: ScoreDraft };

export function GiveScore({ project, conversation, scores, draft }: Props) {
  const { evaluators, setDraft, request } = scores;
  const start = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    start.current?.scrollIntoView({ block: 'center' });
    start.current?.focus({ preventScroll: true });
  }, []);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const set = (changes: Partial<ScoreDraft>) => setDraft({ ...draft, ...changes });
  const output = evaluators.find(({ name }) => name === draft.name)?.output;
  const put = useAction((input: { name: string; value: unknown; rationale: string; evidence: number[] }) => {
    const { name, rationale, ...rest } = input;
    const body = { ...rest, rationale: rationale === '' ? null : rationale, source: 'human' as const };
    return platform().projects(project).conversations.scores.put(conversation.id, name, body);
  });
  const finish = (score: Score | undefined) => {
    if (!score) return;
    setDraft(undefined);
    request.reload();
    announce(`The score ${score.name} is stored.`);
  };
  const submit = async () => {
    const result = output && readValue(output, draft.value);
    if (!result) return;
    setProblem('problem' in result ? result.problem : undefined);
    if ('problem' in result) return;
    const { name, rationale, evidence } = draft;
    finish(
      await put.run({ name, rationale: rationale.trim(), evidence: [...evidence], value: result.value }),
    );
  };
  const details: readonly ErrorDetail[] = [
    ...(problem === undefined ? [] : [{ path: 'value', message: problem }]),
    ...(put.error instanceof ApiError ? put.error.details : []),
  ];
  return (
    <section class="card panel" aria-labelledby="give-score">
      <h2 id="give-score" ref={start} tabIndex={-1}>
        Your score
      </h2>
      <p class="quiet">It counts before the scores of programs, models and rules. Those stay, too.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <FormField label="Score" messages={[]}>
          {(control) => (
            <select
              {...control}
              required
              value={draft.name}
              onChange={({ currentTarget }) => set({ name: currentTarget.value, value: '' })}
            >
              <option value="">Choose …</option>
              {evaluators.map(({ name, status }) => (
                <option key={name} value={name}>
                  {status === 'archived' ? `${name} (archived)` : name}
                </option>
              ))}
            </select>
          )}
        </FormField>
        {output && (
          <FormField label="Value" hint={hintOf(output)} messages={messagesAt(details, ['value'])}>
            {(control) => (
              <ValueControl
                control={control}
                output={output}
                value={draft.value}
                onChange={(value) => set({ value })}
              />
            )}
          </FormField>
        )}
        <FormField label="Why" hint="Up to 2,000 characters." messages={messagesAt(details, ['rationale'])}>
          {(control) => (
            <textarea
              {...control}
              class="prose"
              rows={2}
              maxLength={2000}
              value={draft.rationale}
              onInput={({ currentTarget }) => set({ rationale: currentTarget.value })}
            />
          )}
        </FormField>
        <Evidence evidence={draft.evidence} details={details} onChange={(evidence) => set({ evidence })} />
        <Problem error={put.error} onRepeat={async () => finish(await put.repeat())} />
        <FormEnd action="Give the score" isPending={put.isPending} onClose={() => setDraft(undefined)} />
      </form>
    </section>
  );
}

const hintOf = (output: ScoreOutput): string | undefined => {
  if (output.type === 'number') return `From ${output.min} to ${output.max}.`;
  return output.type === 'object' ? `JSON that matches ${JSON.stringify(output.schema)}` : undefined;
};

type ControlProp = {
  control: ControlProps;
  output: ScoreOutput;
  value: string;
  onChange: (value: string) => void;
};

function ValueControl({ control, output, value, onChange }: ControlProp) {
  if (output.type === 'number')
    return (
      <input
        {...control}
        type="number"
        required
        step="any"
        min={output.min}
        max={output.max}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  if (output.type === 'boolean' || output.type === 'category') {
    const keys = output.type === 'boolean' ? ['true', 'false'] : output.values;
    return (
      <select
        {...control}
        required
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="">Choose …</option>
        {keys.map((key) => (
          <option key={key} value={key}>
            {keyText(key, output)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <textarea
      {...control}
      required
      rows={4}
      spellcheck={output.type === 'text'}
      maxLength={output.type === 'text' ? 2000 : undefined}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

type EvidenceProps = {
  evidence: readonly number[];
  details: readonly ErrorDetail[];
  onChange: (evidence: number[]) => void;
};

/** The numbers of the messages that are evidence. The boxes at the messages change the same numbers. */
function Evidence({ evidence, details, onChange }: EvidenceProps) {
  const savedText = evidence.join(', ');
  const [text, setText] = useState(savedText);
  const seqs = seqsIn(text);
  useEffect(() => {
    if (seqs?.join(', ') !== savedText) setText(savedText);
  }, [savedText]);
  const syntaxMessages = seqs ? [] : ['has something that is not the number of a message'];
  return (
    <FormField
      label="Evidence"
      hint="Choose the messages below, or type their numbers: 2, 5. At most 20."
      messages={[...syntaxMessages, ...messagesAt(details, ['evidence'])]}
    >
      {(control) => (
        <input
          {...control}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            const next = seqsIn(currentTarget.value);
            if (next) onChange(next);
          }}
        />
      )}
    </FormField>
  );
}
