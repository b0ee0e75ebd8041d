/** The pieces that an index finds, beside the pieces of another index. */

import { matchesIn } from '../../../../cli/src/output/matches.ts';
import { ApiError, type SearchHit, type SearchResult } from '../../../../clients/typescript/src/index.ts';
import { type Loaded, useLoad } from '../../request/use-load.ts';
import { href, setQuery } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Loading } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { tagsIn } from '../../shared/form.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Marked, Name } from '../../shared/text.tsx';
import { IndexOptions, placeOf } from './search-choices.tsx';

type Mode = 'hybrid' | 'lexical';
type SearchQuery = {
  q: string | undefined;
  /** With commas between them. A document has all of them. */
  tags: string | undefined;
  documentId: string | undefined;
  /** Such as `country:DE, product:x`. A document has all of these values. */
  metadata: string | undefined;
  limit: string | undefined;
  mode: Mode | undefined;
};

/** @returns the filters between the commas. A comma may also be in a value */
const filtersIn = (text: string): string[] =>
  text
    .split(/,(?=[^:,]+:)/)
    .map((filter) => filter.trim())
    .filter(Boolean);

/** @param index the environment or the deployment; undefined for the published index */
export function useSearch(
  project: string,
  { q, tags, documentId, metadata, limit, mode }: SearchQuery,
  index: string | undefined,
  isEnabled = true,
): Loaded<SearchResult | undefined> {
  const key = JSON.stringify([q, tags, documentId, metadata, limit, mode, index, isEnabled]);
  return useLoad(
    async (signal) => {
      if (q === undefined || !isEnabled) return undefined;
      const searchQuery = {
        q,
        tag: tagsIn(tags ?? ''),
        documentId,
        metadata: filtersIn(metadata ?? ''),
        ...placeOf(index),
        mode,
        limit: limit === undefined ? undefined : Number(limit),
      };
      return platform().projects(project).knowledge.search(searchQuery, { signal });
    },
    [project, key],
  );
}

type Props = {
  project: string;
  mode: Mode | undefined;
  /** The name of its parameter in the address. */
  name: 'left' | 'right';
  /** The environment or the deployment; undefined for the published index; `none` for no second index. */
  index: string | undefined;
  environments: readonly string[];
  request: Loaded<SearchResult | undefined>;
  /** The hits of the other side; undefined without another side. */
  otherHits: readonly SearchHit[] | undefined;
};

export function Side({ project, mode, name, index, environments, request, otherHits }: Props) {
  const { data, error, isLoading, reload } = request;
  const title = index === undefined ? 'Published index' : index;
  const isOff = index === 'none';
  return (
    <section
      class={isLoading ? 'side old' : 'side'}
      aria-busy={isLoading}
      aria-label={isOff ? 'No second index' : `Found in ${title}`}
    >
      <IndexChoice name={name} index={index} environments={environments} />
      {isNotIndexed(error) ? <NothingPublished project={project} index={index} /> : null}
      {!isNotIndexed(error) && <Problem error={error} onRepeat={reload} />}
      {isLoading && !data && !isOff && <Loading what="Searching" />}
      {data && !error && !isOff && (
        <>
          <p class="quiet" role="status">
            {data.items.length === 0
              ? 'Nothing is found.'
              : `${data.items.length} ${data.items.length === 1 ? 'piece' : 'pieces'}`}
            {data.mode === 'hybrid' ? ' · by words and meaning' : ' · by words only'}
            {' · '}index version <Id value={data.indexVersion} />
          </p>
          {data.mode === 'lexical' && mode !== 'lexical' && (
            <p class="quiet">
              Meanings were not compared: the index has none yet, the model does not speak the language, or it
              is still being loaded.
            </p>
          )}
          <ol class="pieces">
            {data.items.map((hit, at) => (
              <Piece
                key={keyOf(hit)}
                project={project}
                hit={hit}
                bestScore={data.items[0]?.score ?? 1}
                place={at}
                otherPlace={otherHits?.findIndex((one) => keyOf(one) === keyOf(hit))}
              />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

/** @returns the same key for the same piece in two indexes, although their matches may differ */
const keyOf = ({ documentId, heading, snippet }: SearchHit) => JSON.stringify([documentId, heading, snippet]);

const isNotIndexed = (error: unknown) => error instanceof ApiError && error.code === 'not_indexed';

function NothingPublished({ project, index }: { project: string; index: string | undefined }) {
  return (
    <div class="empty">
      <strong>{index === undefined ? 'No index is published yet' : 'It has no index'}</strong>
      {index === undefined ? (
        <p>
          <a href={href(`/projects/${project}/knowledge`)}>Upload documents and re-index</a>. Then searches
          find them.
        </p>
      ) : (
        <p>The deployment was made before the first re-index. The next deployment has the index.</p>
      )}
    </div>
  );
}

type ChoiceProps = Pick<Props, 'name' | 'index' | 'environments'>;

function IndexChoice({ name, index, environments }: ChoiceProps) {
  return (
    <label class="index-choice">
      <span class="sr-only">{name === 'left' ? 'First index' : 'Second index'}</span>
      <select
        value={index ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          // `right` without a value is the published index, and not the default.
          setQuery({ [name]: value === '' && name === 'right' ? 'published' : value });
        }}
      >
        <IndexOptions environments={environments} environment={index === 'none' ? undefined : index} />
        {name === 'right' && <option value="none">Nothing beside it</option>}
      </select>
    </label>
  );
}

type PieceProps = {
  project: string;
  hit: SearchHit;
  bestScore: number;
  place: number;
  /** The place on the other side; -1 if the other side lacks the piece, undefined without another side. */
  otherPlace: number | undefined;
};

function Piece({ project, hit, bestScore, place, otherPlace }: PieceProps) {
  return (
    <li class={otherPlace === -1 ? 'only-here' : ''}>
      <div class="row">
        <a href={href(`/projects/${project}/knowledge/${hit.documentId}`, { textPage: hit.page })}>
          <Name value={hit.title} />
        </a>
        {hit.page !== null && <span class="quiet">page {hit.page}</span>}
        <span class="spring" />
        <Difference place={place} otherPlace={otherPlace} />
        <span class="score" title="Comparable only within one result">
          <meter aria-label="Score, compared with the best piece" min={0} max={bestScore} value={hit.score} />{' '}
          {hit.score.toFixed(2)}
        </span>
      </div>
      {hit.heading && (
        <p class="quiet heading">
          <Name value={hit.heading} />
        </p>
      )}
      <Passage hit={hit} />
      <Why hit={hit} />
    </li>
  );
}

/** The text that an avatar gets, with the matching words marked. */
const Passage = ({ hit: { text, snippet, matches, matchedWords } }: { hit: SearchHit }) =>
  text === undefined ? (
    <Marked text={snippet} spans={matches} />
  ) : (
    <Marked text={text} spans={matchesIn(text, matchedWords)} />
  );

/** Says why the index finds the piece: by its words, its meaning, or both. */
function Why({ hit: { scores, matchedWords } }: { hit: SearchHit }) {
  return (
    <p class="quiet why">
      {scores.lexical === null ? (
        <strong>Matches by meaning</strong>
      ) : (
        <>
          Matches <Name value={matchedWords.join(', ')} />
        </>
      )}
      {scores.lexical !== null && ` · words ${scores.lexical.toFixed(2)}`}
      {scores.semantic !== null && ` · meaning ${scores.semantic.toFixed(2)}`}
    </p>
  );
}

function Difference({ place, otherPlace }: Pick<PieceProps, 'place' | 'otherPlace'>) {
  if (otherPlace === undefined || otherPlace === place) return null;
  if (otherPlace === -1) return <strong class="badge busy">only here</strong>;
  return <span class="badge quiet">other side: place {otherPlace + 1}</span>;
}
