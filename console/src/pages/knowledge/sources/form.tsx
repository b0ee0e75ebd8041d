/** The fields of a new or changed source. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  KnowledgeSource,
  KnowledgeSourceCreateRequest,
  KnowledgeSourceUpdateRequest,
} from '../../../../../clients/typescript/src/index.ts';
import { Field } from '../../../shared/dialog.tsx';
import { FormEnd, tagsIn } from '../../../shared/form.tsx';
import { intervalOf, typeOf } from './texts.ts';

export type SourceDraft = Pick<KnowledgeSource, keyof KnowledgeSourceCreateRequest>;

export const emptyDraft: SourceDraft = {
  type: 'site',
  url: '',
  include: [],
  exclude: [],
  maxPages: 500,
  maxDepth: 3,
  tags: [],
  refresh: '1d',
  reindex: true,
};

/** @returns only the fields that change; undefined if no field changes */
export function change(
  source: KnowledgeSource,
  { type: _, ...draft }: SourceDraft,
): KnowledgeSourceUpdateRequest | undefined {
  const before: Readonly<Record<string, unknown>> = source;
  const changedFields = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  return changedFields.length > 0 ? Object.fromEntries(changedFields) : undefined;
}

const types = ['site', 'sitemap', 'feed', 'url'] as const;
const hints = {
  site: 'The pages that links lead to from the URL.',
  sitemap: 'The pages that the sitemap at the URL lists.',
  feed: 'The pages that the RSS or Atom feed at the URL has, now and later.',
  url: 'Only the page at the URL.',
} as const;

const paths = { site: '', sitemap: 'sitemap.xml', feed: 'feed.xml', url: '' } as const;

const intervals = ['manual', '1h', '6h', '12h', '1d', '1w', '30d'] as const;

const linesIn = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];

type Props = {
  draft: SourceDraft;
  /** Whether the source is new. The type of an existing source cannot change. */
  isNew: boolean;
  isPending: boolean;
  action: string;
  onSubmit: (draft: SourceDraft) => void;
  onClose: () => void;
  /** The element that shows the error of the last attempt. */
  children: ComponentChildren;
};

export function SourceForm({ isNew, isPending, action, onSubmit, onClose, children, ...rest }: Props) {
  const [draft, setDraft] = useState(rest.draft);
  const [tags, setTags] = useState(draft.tags.join(', '));
  const set = (changes: Partial<SourceDraft>) => setDraft({ ...draft, ...changes });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({ ...draft, url: draft.url.trim(), tags: tagsIn(tags) });
      }}
    >
      {isNew ? (
        <Field label="Type" hint={hints[draft.type]}>
          {(id) => (
            <select
              id={id}
              value={draft.type}
              onChange={({ currentTarget: { value } }) =>
                set({ type: types.find((type) => type === value) ?? 'site' })
              }
            >
              {types.map((type) => (
                <option key={type} value={type}>
                  {typeOf({ type })}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <p class="quiet">{hints[draft.type]}</p>
      )}
      <Field label="URL" hint="An https:// address that the internet can reach.">
        {(id) => (
          <input
            id={id}
            type="url"
            required
            maxLength={2048}
            autocomplete="off"
            placeholder={`https://docs.example.com/${paths[draft.type]}`}
            value={draft.url}
            onInput={(event) => set({ url: event.currentTarget.value })}
          />
        )}
      </Field>
      {draft.type !== 'url' && <Bounds draft={draft} set={set} />}
      <Field label="Tags" hint="With commas between them. Every document of the source gets them.">
        {(id) => <input id={id} value={tags} onInput={(event) => setTags(event.currentTarget.value)} />}
      </Field>
      <Field label="Refresh">
        {(id) => (
          <select
            id={id}
            value={draft.refresh}
            onChange={(event) => set({ refresh: event.currentTarget.value })}
          >
            {[...new Set([...intervals, rest.draft.refresh])].map((interval) => (
              <option key={interval} value={interval}>
                {intervalOf(interval)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.reindex}
          onChange={(event) => set({ reindex: event.currentTarget.checked })}
        />
        Re-index after a refresh that has changed documents
      </label>
      {children}
      <FormEnd action={action} isPending={isPending} onClose={onClose} />
    </form>
  );
}

type BoundsProps = { draft: SourceDraft; set: (changes: Partial<SourceDraft>) => void };

/** The fields that limit the pages of a source. */
function Bounds({ draft, set }: BoundsProps) {
  return (
    <>
      <Patterns
        label="Only these addresses"
        hint="One in each line, such as /docs/* or https://help.example.com/*. If it is empty, all pages of the host."
        value={draft.include}
        onChange={(include) => set({ include })}
      />
      <Patterns
        label="Without these addresses"
        hint="One in each line, such as /docs/old/*."
        value={draft.exclude}
        onChange={(exclude) => set({ exclude })}
      />
      <div class="row source-limits">
        <Field label="Pages at most">
          {(id) => (
            <input
              id={id}
              type="number"
              required
              min={1}
              max={5000}
              value={draft.maxPages}
              onInput={(event) => set({ maxPages: event.currentTarget.valueAsNumber })}
            />
          )}
        </Field>
        {draft.type === 'site' && (
          <Field label="Links away at most">
            {(id) => (
              <input
                id={id}
                type="number"
                required
                min={0}
                max={10}
                value={draft.maxDepth}
                onInput={(event) => set({ maxDepth: event.currentTarget.valueAsNumber })}
              />
            )}
          </Field>
        )}
      </div>
    </>
  );
}

type PatternsProps = {
  label: string;
  hint: string;
  value: readonly string[];
  onChange: (patterns: string[]) => void;
};

function Patterns({ label, hint, value, onChange }: PatternsProps) {
  // The text stays as it is typed, such as with an empty line.
  const [text, setText] = useState(value.join('\n'));
  return (
    <Field label={label} hint={hint}>
      {(id) => (
        <textarea
          id={id}
          rows={2}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            onChange(linesIn(currentTarget.value));
          }}
        />
      )}
    </Field>
  );
}
