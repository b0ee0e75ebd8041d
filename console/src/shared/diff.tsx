/** Differences as readers see them: field by field, and inside texts word by word. */

import type { ComponentChildren } from 'preact';
import { type Change, isObject, type Piece, wordDifference } from './difference.ts';

/** @param nameOf names a field for readers */
export function Changes({
  changes,
  nameOf,
  none = 'Nothing differs.',
}: {
  changes: readonly Change[];
  nameOf: (path: readonly string[]) => string;
  none?: ComponentChildren;
}) {
  if (changes.length === 0) return <p class="quiet">{none}</p>;
  return (
    <dl class="changes">
      {changes.map((change) => (
        <div key={change.path.join('.')}>
          <dt>
            <bdi>{nameOf(change.path)}</bdi>
          </dt>
          <dd>
            <ValueDifference before={change.before} after={change.after} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What differs between two values of a field. */
export function ValueDifference({ before, after }: { before: unknown; after: unknown }) {
  if (isText(before) && isText(after)) return <TextDifference before={before} after={after} />;
  if (isTextList(before) && isTextList(after)) return <ListDifference before={before} after={after} />;
  return (
    <span class="diff">
      {before !== undefined && (
        <del>
          <Value value={before} />
        </del>
      )}{' '}
      {after === undefined ? (
        <span class="quiet">removed</span>
      ) : (
        <ins>
          <Value value={after} />
        </ins>
      )}
    </span>
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextList = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** A value in the form in which a reader would write it. */
export function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === '') return <span class="quiet">nothing</span>;
  if (isText(value)) return <span class="foreign">{value}</span>;
  if (isTextList(value))
    return value.length === 0 ? <span class="quiet">nothing</span> : <bdi>{value.join(', ')}</bdi>;
  if (isObject(value) && Object.values(value).every(isText))
    return (
      <span class="foreign">
        {Object.entries(value)
          .map(([name, text]) => `${name} ${text}`)
          .join(', ')}
      </span>
    );
  return <code class="foreign">{JSON.stringify(value)}</code>;
}

/** So many characters of unchanged text stay on each side of a change. */
const context = 80;

function TextDifference({ before, after }: { before: string; after: string }) {
  const pieces = wordDifference(before, after);
  return (
    <span class="diff foreign" dir="auto">
      {pieces.map((piece, index) => (
        // Pieces have no identity, and are drawn again as a whole.
        <PieceView key={index} piece={piece} isFirst={index === 0} isLast={index === pieces.length - 1} />
      ))}
    </span>
  );
}

function PieceView({ piece, isFirst, isLast }: { piece: Piece; isFirst: boolean; isLast: boolean }) {
  const { kind, text } = piece;
  if (kind === 'removed') return <del>{text}</del>;
  if (kind === 'added') return <ins>{text}</ins>;
  const head = isFirst ? 0 : context;
  const tail = isLast ? 0 : context;
  if (text.length <= head + tail + context) return <>{text}</>;
  return (
    <>
      {text.slice(0, head)}
      <span class="gap" title={`${(text.length - head - tail).toLocaleString('en')} unchanged characters`}>
        {' … '}
      </span>
      {tail > 0 && text.slice(-tail)}
    </>
  );
}

function ListDifference({ before, after }: { before: readonly string[]; after: readonly string[] }) {
  const removed = before.filter((item) => !after.includes(item));
  const added = after.filter((item) => !before.includes(item));
  if (removed.length === 0 && added.length === 0) return <span class="quiet">another order</span>;
  return (
    <span class="diff row">
      {removed.map((item) => (
        <del key={item}>
          <bdi>{item}</bdi>
        </del>
      ))}
      {added.map((item) => (
        <ins key={item}>
          <bdi>{item}</bdi>
        </ins>
      ))}
    </span>
  );
}
