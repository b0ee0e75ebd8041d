/** Scores of conversations, in plain words. Values, names and reasons come from callers and models: the page shows them as text. */

import type { ConversationScore, ScoreOutput, ScoreSource } from '../../../clients/typescript/src/index.ts';
import { isObject } from './difference.ts';

const booleans = { true: 'yes', false: 'no' } as const;

/** @returns a value on one line */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return booleans[`${value}`];
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 6 });
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @param key the name of a value in statistics */
export const keyText = (key: string, output: Pick<ScoreOutput, 'type'>): string =>
  output.type === 'boolean' && (key === 'true' || key === 'false') ? booleans[key] : key;

const sourceTexts: Readonly<Record<string, string>> = {
  human: 'by a person',
  api: 'by a program',
  model: 'by a model',
  rule: 'by a rule',
};

export const sourceText = (source: ScoreSource): string => sourceTexts[source] ?? source;

const reasonTexts: Readonly<Record<string, string>> = {
  refused: 'the model refused to answer',
  cut_off: 'the answer of the model was too long',
  invalid_answer: 'the model did not answer in the required form',
  invalid_evidence: 'the model named messages that do not exist',
  transcript_too_long: 'the conversation is too long',
  invalid_request: 'the model did not accept the request',
  no_messages: 'the conversation has no messages',
};

/** @returns why a score has no value */
export const reasonText = (reason: string): string => reasonTexts[reason] ?? reason.replaceAll('_', ' ');

/** The word for a text or an object, which a list of conversations leaves out. */
const hiddenValue = 'given';

/** The score of a conversation, in a list of conversations. */
export function ScoreChip({
  score: { name, value, reason, source, version, stale },
}: {
  score: ConversationScore;
}) {
  const descriptions = [
    `${name}, version ${version}, ${sourceText(source)}`,
    ...(reason === null ? [] : [`unknown: ${reasonText(reason)}`]),
    ...(stale ? ['messages were added since'] : []),
  ];
  return (
    <span
      class={`score-chip${stale ? ' stale' : ''}${reason === null ? '' : ' unknown'}`}
      title={descriptions.join('; ')}
    >
      <bdi>{name}</bdi>{' '}
      {reason === null ? (
        <strong>
          <bdi>{value === null ? hiddenValue : valueText(value).slice(0, 60)}</bdi>
        </strong>
      ) : (
        'unknown'
      )}
      {stale && <span class="stale-mark"> old</span>}
    </span>
  );
}

/** A score as a whole: an object as JSON, a text as it is. */
export const ScoreValue = ({ value, reason }: { value: unknown; reason: string | null }) => {
  if (reason !== null) return <span class="quiet">unknown: {reasonText(reason)}</span>;
  if (isObject(value) || Array.isArray(value))
    return (
      <pre class="json" tabIndex={0}>
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    );
  return (
    <strong class="foreign" dir="auto">
      {valueText(value)}
    </strong>
  );
};

const dollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});

export const usd = (amount: number): string => dollars.format(amount);
