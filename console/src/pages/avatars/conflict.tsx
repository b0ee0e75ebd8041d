/** Somebody else has saved the avatar in the meantime: nothing is lost, and the user chooses field by field. */

import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { Badge } from '../../shared/basics.tsx';
import { ValueDifference } from '../../shared/diff.tsx';
import { Time } from '../../shared/time.tsx';
import {
  type Choice,
  contentOf,
  type Draft,
  defaultChoice,
  labelOf,
  mergedOf,
  type Row,
  rowsOf,
} from './content.ts';

type Props = {
  /** The version that the user has changed. */
  base: Avatar;
  mine: Draft;
  /** The version that is stored now. */
  theirs: Avatar;
  isPending: boolean;
  onSave: (mergedDraft: Draft) => void;
  /** Continues to edit, from the stored version and the choices. */
  onEdit: (mergedDraft: Draft) => void;
};

export function Conflict({ base, mine, theirs, isPending, onSave, onEdit }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  // A new conflict gets the focus.
  useEffect(() => {
    heading.current?.focus();
    setChoices({});
  }, [theirs.version]);
  const storedDraft = contentOf(theirs);
  const rows = rowsOf(contentOf(base), mine, storedDraft);
  const nameOf = ({ path }: Row) => path.join('.');
  const choiceOf = (row: Row) => choices[nameOf(row)] ?? defaultChoice(row);
  const openCount = rows.filter((row) => choiceOf(row) === undefined).length;
  const mergedDraft = () => mergedOf(storedDraft, rows, choiceOf);
  const chooseEverywhere = (choice: Choice) =>
    setChoices(Object.fromEntries(rows.map((row) => [nameOf(row), choice])));
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
        <button type="button" class="small" onClick={() => chooseEverywhere('mine')}>
          Keep mine everywhere
        </button>
        <button type="button" class="small" onClick={() => chooseEverywhere('theirs')}>
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
          {openCount > 0 && `${openCount} ${openCount === 1 ? 'field needs' : 'fields need'} a choice.`}
        </span>
        <button type="button" disabled={openCount > 0 || isPending} onClick={() => onEdit(mergedDraft())}>
          Put it into the form
        </button>
        <button
          type="button"
          class="primary"
          disabled={openCount > 0 || isPending}
          onClick={() => onSave(mergedDraft())}
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
