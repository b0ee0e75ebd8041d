/** The scores of a conversation. The score of each name that counts is open, and the other scores are behind it. */

import { useEffect } from 'preact/hooks';
import type { Conversation, Score } from '../../../../clients/typescript/src/index.ts';
import { href, query } from '../../router.ts';
import { mayChange } from '../../session/session.ts';
import { Badge, Expander, Loading } from '../../shared/basics.tsx';
import { Credential } from '../../shared/credential.tsx';
import { Problem } from '../../shared/problem.tsx';
import { ScoreValue, sourceText, usd } from '../../shared/score.tsx';
import { LongText } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { GiveScore } from './give-score.tsx';
import { focusOn, Jump, messageAt, scoreAt } from './jump.tsx';
import type { Scores as ScoreState } from './use-scores.ts';

type Props = { project: string; conversation: Conversation; scores: ScoreState };

export function Scores({ project, conversation, scores }: Props) {
  const { request, evaluators, draft } = scores;
  const items = request.data?.items ?? [];
  const scoreName = query.value.get('score');
  const isLoaded = items.some(({ name }) => name === scoreName);
  useEffect(() => {
    if (scoreName && isLoaded) focusOn(scoreAt(scoreName));
  }, [scoreName, isLoaded]);
  const mayGive = mayChange('conversations:write') && evaluators.length > 0;
  // A project without evaluators has no scores.
  if (request.data && items.length === 0 && !mayGive) return null;
  const byName = Map.groupBy(items.toReversed(), ({ name }) => name);
  return (
    <section aria-label="Scores">
      <div class="head scores-head">
        <h2>Scores</h2>
        {mayGive && !draft && (
          <button type="button" onClick={() => scores.open(undefined)}>
            Give a score
          </button>
        )}
      </div>
      <Problem error={request.error} onRepeat={request.reload} />
      {!request.data && request.error === undefined && <Loading />}
      {request.data && items.length === 0 && <p class="quiet">This conversation has no score yet.</p>}
      <ul class="score-cards">
        {[...byName].map(([name, namedScores]) => (
          <NamedScores
            key={name}
            project={project}
            conversation={conversation.id}
            // The API has sorted them: the score that counts is first.
            scores={namedScores.toReversed()}
            onCorrect={mayGive ? scores.open : undefined}
          />
        ))}
      </ul>
      {request.data?.isWhole === false && (
        <p class="quiet">There are more scores, of earlier versions and of fewer messages.</p>
      )}
      {draft && (
        <GiveScore
          key={scores.draftCount}
          project={project}
          conversation={conversation}
          scores={scores}
          draft={draft}
        />
      )}
    </section>
  );
}

type NamedProps = {
  project: string;
  conversation: string;
  scores: readonly Score[];
  onCorrect: ((score: Score) => void) | undefined;
};

function NamedScores({ project, conversation, scores, onCorrect }: NamedProps) {
  const [first, ...otherScores] = scores;
  if (!first) return null;
  return (
    <li class="card" id={scoreAt(first.name)} tabIndex={-1}>
      <div class="row">
        <h3>
          <a href={href(`/projects/${project}/evaluators/${first.evaluatorId}`)}>
            <bdi>{first.name}</bdi>
          </a>
        </h3>
        <span class="spring" />
        {onCorrect && (
          <button
            type="button"
            class="small"
            aria-label={`Correct ${first.name}`}
            onClick={() => onCorrect(first)}
          >
            Correct
          </button>
        )}
      </div>
      <Fact project={project} conversation={conversation} score={first} />
      {otherScores.length > 0 && (
        <Expander
          summary={
            <span class="quiet">
              {otherScores.length} other {otherScores.length === 1 ? 'score' : 'scores'}
            </span>
          }
        >
          {() => (
            <ul class="list" aria-label={`Other scores ${first.name}`}>
              {otherScores.map((score) => (
                <li key={keyOf(score)}>
                  <Fact project={project} conversation={conversation} score={score} />
                </li>
              ))}
            </ul>
          )}
        </Expander>
      )}
    </li>
  );
}

const keyOf = ({ source, version, messageCount }: Score): string => `${source} ${version} ${messageCount}`;

type FactProps = { project: string; conversation: string; score: Score };

function Fact({ project, conversation, score }: FactProps) {
  const { value, reason, source, version, stale, effective, messageCount, rationale, evidence } = score;
  const { inputTokens, outputTokens, costUsd, createdAt, createdBy, jobId } = score;
  const path = `/projects/${project}/conversations/${conversation}`;
  return (
    <div class="fact">
      <div class="row">
        <ScoreValue value={value} reason={reason} />
        {effective && <Badge value="counts" tone="good" />}
        {stale && <Badge value={`stale: about the first ${messageCount} messages`} tone="busy" />}
      </div>
      {rationale && (
        <p>
          <LongText value={rationale} />
        </p>
      )}
      {evidence.length > 0 && (
        <p class="row">
          <span class="quiet">Evidence:</span>
          {evidence.map((seq) => (
            <Jump key={seq} to={href(path, { message: seq })} id={messageAt(seq)} label={`Message ${seq}`}>
              #{seq}
            </Jump>
          ))}
        </p>
      )}
      <p class="quiet">
        {sourceText(source)}, version {version}, <Time at={createdAt} /> by <Credential id={createdBy} />
        {inputTokens !== null && (
          <>
            , {inputTokens.toLocaleString('en')} + {(outputTokens ?? 0).toLocaleString('en')} tokens
          </>
        )}
        {costUsd !== null && <>, {usd(costUsd)}</>}
        {jobId && (
          <>
            , <a href={href(`/projects/${project}/jobs/${jobId}`)}>from a run</a>
          </>
        )}
      </p>
    </div>
  );
}
