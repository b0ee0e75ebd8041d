/** A guard of a rollout: the present difference with its band and the allowed harm, drawn and as a sentence. */

import type {
  ComparedGuard,
  ComparedRollout,
  RolloutGuard,
  ScoreOutput,
} from '../../../../clients/typescript/src/index.ts';
import { href } from '../../router.ts';
import { can } from '../../session/session.ts';
import { Badge } from '../../shared/basics.tsx';
import { anchorOf, drawingOf } from './guard-drawing.ts';
import {
  badFilter,
  guardName,
  guardSentence,
  type Scale,
  scaleOf,
  signedText,
  valueText,
  verdictSentence,
} from './guard-texts.ts';

const tones = { passed: 'good', breached: 'bad', undecided: 'busy' } as const;

type Props = {
  project: string;
  rollout: ComparedRollout;
  guard: RolloutGuard;
  compared: ComparedGuard;
  /** The type of the scores; undefined until it is loaded. */
  type: ScoreOutput['type'] | undefined;
};

export function GuardCard({ project, rollout, guard, compared, type }: Props) {
  const scale = scaleOf(guard, type);
  const mean = (value: number | null) => (value === null ? 'no value' : valueText(value, scale));
  const badParams = {
    deploymentId: rollout.deploymentId,
    score: badFilter(guard, type, compared.current.mean),
    startedFrom: rollout.createdAt,
  };
  return (
    <section class="card guard">
      <h3>
        <bdi>{guardName(guard)}</bdi> <Badge value={compared.verdict} tone={tones[compared.verdict]} />
      </h3>
      <Drawing guard={guard} compared={compared} scale={scale} />
      <p>{guardSentence(guard, compared, scale)}</p>
      <p class="quiet">
        {verdictSentence(guard, compared)} Candidate {mean(compared.candidate.mean)}, current{' '}
        {mean(compared.current.mean)}.
      </p>
      {can('conversations:read') && (
        <p>
          <a href={href(`/projects/${project}/conversations`, badParams)}>
            {badParams.score.endsWith(':exists') ? 'Conversations' : 'Bad conversations'} of the candidate
            <span class="sr-only"> by {guardName(guard)}</span>
          </a>
        </p>
      )}
    </section>
  );
}

type DrawingProps = { guard: RolloutGuard; compared: ComparedGuard; scale: Scale };

/** @returns what the drawing shows, for people who cannot see it */
function descriptionOf({ guard, compared: { difference, low, high }, scale }: DrawingProps): string {
  const text = (amount: number) => signedText(amount, scale);
  const limit = guard.better === 'higher' ? -guard.maxHarm : guard.maxHarm;
  return [
    `${guardName(guard)}: difference ${difference === null ? 'unknown' : text(difference)}`,
    low === null || high === null ? 'no band yet' : `band from ${text(low)} to ${text(high)}`,
    `harm beyond ${text(limit)}${scale === 'points' ? ' points' : ''}`,
  ].join(', ');
}

function Drawing(props: DrawingProps) {
  const { guard, compared, scale } = props;
  const { zero, limit, harm, difference, band } = drawingOf(guard, compared);
  const at = (place: number) => `${place}%`;
  const limitText = signedText(guard.better === 'higher' ? -guard.maxHarm : guard.maxHarm, scale);
  return (
    <svg class="guard-drawing" role="img" aria-label={descriptionOf(props)}>
      <rect class="harm" x={at(harm.from)} width={at(harm.to - harm.from)} y="18" height="28" />
      <line class="axis" x1="0" x2="100%" y1="32" y2="32" />
      {band && (
        <rect class="band" x={at(band.from)} width={at(band.to - band.from)} y="25" height="14" rx="3" />
      )}
      <line class="zero" x1={at(zero)} x2={at(zero)} y1="18" y2="46" />
      <line class="limit" x1={at(limit)} x2={at(limit)} y1="18" y2="46" />
      {difference !== null && <circle class="difference" cx={at(difference)} cy="32" r="5" />}
      <text x={at(zero)} y="13" text-anchor={anchorOf(zero)}>
        equal
      </text>
      <text class="limit-text" x={at(limit)} y="61" text-anchor={anchorOf(limit)}>
        allowed {limitText}
      </text>
    </svg>
  );
}
