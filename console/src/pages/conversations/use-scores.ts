/** The scores of the conversation on the page, the messages that they point to, and the score that somebody is about to give. */

import { useMemo, useRef, useState } from 'preact/hooks';
import type { Conversation, Evaluator, Score } from '../../../../clients/typescript/src/index.ts';
import { type Loaded, useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/basics.tsx';
import { useEvaluators } from '../evaluators/use-evaluators.ts';

/** A conversation has a score for each evaluator, version, source and length. The page loads so many of them. */
const maxScores = 500;

export type ScoreDraft = {
  /** The name of the evaluator; empty until it is chosen. */
  name: string;
  /** The value as it is typed or chosen. */
  value: string;
  rationale: string;
  evidence: readonly number[];
};

export type Scores = {
  request: Loaded<{ items: readonly Score[]; isWhole: boolean }>;
  evaluators: readonly Evaluator[];
  /** The names of the scores that count, by the numbers of the messages that they point to. */
  marks: ReadonlyMap<number, readonly string[]>;
  draft: ScoreDraft | undefined;
  setDraft: (draft: ScoreDraft | undefined) => void;
  /** The number of drafts so far. */
  draftCount: number;
  /** Starts a draft. @param score the score that it corrects */
  open: (score: Score | undefined) => void;
  /** Adds or removes a message of the evidence. */
  choose: (seq: number) => void;
};

export function useScores(project: string, conversation: Conversation): Scores {
  const evaluators = useEvaluators(project);
  const request = useLoad(
    async (signal): Promise<{ items: readonly Score[]; isWhole: boolean }> => {
      const { scores } = platform().projects(project).conversations;
      const items: Score[] = [];
      for await (const score of scores.list(conversation.id, { limit: 100 }, { signal })) {
        if (items.length === maxScores) return { items, isWhole: false };
        items.push(score);
      }
      return { items, isWhole: true };
    },
    // A followed conversation is loaded again at its end, and its evaluators have run soon after.
    [project, conversation.id, conversation.messageCount, conversation.status],
  );
  const { data } = request;
  const marks = useMemo(() => marksOf(data?.items ?? []), [data]);
  const [draft, setDraft] = useState<ScoreDraft | undefined>(undefined);
  const [draftCount, setDraftCount] = useState(0);
  const draftRef = useRef(draft);
  draftRef.current = draft;
  return {
    request,
    evaluators,
    marks,
    draft,
    setDraft,
    draftCount,
    open(score) {
      setDraftCount((count) => count + 1);
      if (score) setDraft(correctionOf(score));
      else setDraft((before) => before ?? { name: '', value: '', rationale: '', evidence: [] });
    },
    choose(seq) {
      const { current } = draftRef;
      if (!current) return;
      const isChosen = current.evidence.includes(seq);
      const evidence = isChosen
        ? current.evidence.filter((one) => one !== seq)
        : [...current.evidence, seq].sort((a, b) => a - b);
      setDraft({ ...current, evidence });
      announce(`${isChosen ? 'Without' : 'With'} message ${seq}. ${evidence.length} chosen.`);
    },
  };
}

/** The value and the evidence of the score may be right, but its rationale is not the rationale of the person. */
const correctionOf = ({ name, value, evidence }: Score): ScoreDraft => ({
  name,
  value: value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
  rationale: '',
  evidence,
});

/** @returns the names of the scores for each message, in their order */
export function marksOf(
  scores: readonly Pick<Score, 'name' | 'effective' | 'evidence'>[],
): ReadonlyMap<number, readonly string[]> {
  const marks = new Map<number, string[]>();
  for (const { name, effective, evidence } of scores.toReversed()) {
    if (!effective) continue;
    for (const seq of evidence) marks.set(seq, [...(marks.get(seq) ?? []), name]);
  }
  return marks;
}
