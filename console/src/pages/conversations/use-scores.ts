/** The scores of the conversation on the page, the messages that they point to, and the score that somebody is about to give. */

import { useMemo, useRef, useState } from 'preact/hooks';
import type { Conversation, Evaluator, Score } from '../../../../clients/typescript/src/index.ts';
import { announce } from '../../parts/announce.tsx';
import { type Loaded, useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { useEvaluators } from '../evaluators/known.ts';

/** A conversation has one for each evaluator, version, source and length. */
const maxScores = 500;

export type ScoreDraft = {
  /** Of the evaluator; empty until it is chosen. */
  name: string;
  /** As it is typed or chosen. */
  value: string;
  rationale: string;
  evidence: readonly number[];
};

export type Scores = {
  loaded: Loaded<{ items: readonly Score[]; isWhole: boolean }>;
  evaluators: readonly Evaluator[];
  /** The names of the scores that count, by the numbers of the messages that they point to. */
  marks: ReadonlyMap<number, readonly string[]>;
  draft: ScoreDraft | undefined;
  setDraft: (draft: ScoreDraft | undefined) => void;
  /** Counts how often a score was started. */
  opened: number;
  /** Starts a score. @param score one that is corrected */
  open: (score: Score | undefined) => void;
  /** Adds or removes a message of the evidence. */
  choose: (seq: number) => void;
};

export function useScores(project: string, conversation: Conversation): Scores {
  const evaluators = useEvaluators(project);
  const loaded = useLoad(
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
  const { data } = loaded;
  const marks = useMemo(() => marksOf(data?.items ?? []), [data]);
  const [draft, setDraft] = useState<ScoreDraft | undefined>(undefined);
  const [opened, setOpened] = useState(0);
  const latest = useRef(draft);
  latest.current = draft;
  return {
    loaded,
    evaluators,
    marks,
    draft,
    setDraft,
    opened,
    open(score) {
      setOpened((count) => count + 1);
      if (score) setDraft(correctionOf(score));
      else setDraft((before) => before ?? { name: '', value: '', rationale: '', evidence: [] });
    },
    choose(seq) {
      const { current } = latest;
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

/** Its value and its evidence may be right, and its rationale is not that of the person. */
const correctionOf = ({ name, value, evidence }: Score): ScoreDraft => ({
  name,
  value: value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
  rationale: '',
  evidence,
});

/** @returns for each message the names, in their order */
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
