/** What a score is: a fact, whose id says who gave it, by which version of the evaluator, and about how many messages. Pure. */

export const scoreSources = ['rule', 'model', 'api', 'human'] as const;

export type ScoreSource = (typeof scoreSources)[number];

/** A source with a higher rank is believed before one with a lower rank. */
export const rankOf: Readonly<Record<ScoreSource, number>> = { rule: 1, model: 1, api: 2, human: 3 };

export const maxRationaleLength = 2000;
export const maxTextValue = 2000;
export const maxEvidence = 20;

export type FactKey = {
  name: string;
  source: ScoreSource;
  /** The version of the evaluator. */
  version: number;
  /** Messages are never changed or removed, so their number says which messages the score is about: the first ones. */
  messageCount: number;
};

const digits = 10;
const pad = (number: number) => String(number).padStart(digits, '0');

/** @returns an id that sorts by name, then from the least to the most believed fact */
export const factId = ({ name, source, version, messageCount }: FactKey): string =>
  `${name}#${rankOf[source]}#${pad(version)}#${pad(messageCount)}`;

/** @returns whether the other of two facts of one name is believed */
export const isBefore = (fact: FactKey, other: FactKey): boolean => factId(fact) < factId(other);
