/** Somebody else has saved the avatar in the meantime: nothing is lost, and the user chooses field by field. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { Badge } from '../../parts/basics.tsx';
import { ValueDifference } from '../../parts/diff.tsx';
import { Time } from '../../parts/time.tsx';
import { contentOf, type Draft, labelOf } from './content.ts';
import { type Choice, defaultChoice, mergedOf, type Row, rowsOf } from './merge.ts';

type Props = {
  /** The version that I changed. */
  base: Avatar;
  mine: Draft;
  /** The version that is stored now. */
  theirs: Avatar;
  isPending: boolean;
  onSave: (merged: Draft) => void;
  /** Continues to edit, from their version and the choices. */
  onEdit: (merged: Draft) => void;
};

export function Conflict({ base, mine, theirs, isPending, onSave, onEdit }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  // A new conflict needs the attention.
  useEffect(() => {
    heading.current?.focus();
    setChoices({});
  }, [theirs.version]);
  const stored = contentOf(theirs);
  const rows = rowsOf(contentOf(base), mine, stored);
  const nameOf = ({ path }: Row) => path.join('.');
  const choiceOf = (row: Row) => choices[nameOf(row)] ?? defaultChoice(row);
  const open = rows.filter((row) => choiceOf(row) === undefined).length;
  const merged = () => mergedOf(stored, rows, choiceOf);
  const all = (choice: Choice) => setChoices(Object.fromEntries(rows.map((row) => [nameOf(row), choice])));
  return (
    <section class="conflict card" aria-labelledby="conflict-title">
      <h2 id="conflict-title" ref={heading} tabIndex={-1}>
        Somebody else saved version {theirs.version}
      </h2>
      <p>
        You changed version {base.version}. Version {theirs.version} was saved <Time at={theirs.updatedAt} />.
        Nothing is lost: choose what to keep.
      </p>
      <p class="row">
        <button type="button" class="small" onClick={() => all('mine')}>
          Keep mine everywhere
        </button>
        <button type="button" class="small" onClick={() => all('theirs')}>
          Keep theirs everywhere
        </button>
      </p>
      {rows.map((row) => (
        <ConflictRow
          key={nameOf(row)}
          row={row}
          choice={choiceOf(row)}
          onChoose={(choice) => setChoices({ ...choices, [nameOf(row)]: choice })}
        />
      ))}
      <p class="row end">
        <span class="quiet" role="status">
          {open > 0 && `${open} ${open === 1 ? 'field needs' : 'fields need'} a choice.`}
        </span>
        <button type="button" disabled={open > 0 || isPending} onClick={() => onEdit(merged())}>
          Put it into the form
        </button>
        <button
          type="button"
          class="primary"
          disabled={open > 0 || isPending}
          onClick={() => onSave(merged())}
        >
          Save as version {theirs.version + 1}
        </button>
      </p>
    </section>
  );
}

const notes = { both: 'Both of you changed it', me: 'Only you changed it', them: 'Only they changed it' };

type ConflictRowProps = { row: Row; choice: Choice | undefined; onChoose: (choice: Choice) => void };

function ConflictRow({ row: { path, base, mine, theirs, by }, choice, onChoose }: ConflictRowProps) {
  const name = useId();
  const option = (value: Choice, label: string, after: unknown) => (
    <label class="option">
      <input type="radio" name={name} checked={choice === value} onInput={() => onChoose(value)} />
      <span>
        <strong>{label}</strong> <ValueOrSame base={base} after={after} />
      </span>
    </label>
  );
  return (
    <fieldset class="kept">
      <legend>
        <bdi>{labelOf(path)}</bdi> <Badge value={notes[by]} tone={by === 'both' ? 'bad' : 'quiet'} />
      </legend>
      {option('mine', 'Mine:', mine)}
      {option('theirs', 'Theirs:', theirs)}
    </fieldset>
  );
}

const ValueOrSame = ({ base, after }: { base: unknown; after: unknown }) =>
  base === after ? <span class="quiet">as before</span> : <ValueDifference before={base} after={after} />;
