/** What the thread that converts records gets, and what it returns. */

import type { ScoreOutput } from '../../../../clients/typescript/src/index.ts';
import type { ScoreValue } from '../score-values.ts';

export type MapOptions = {
  /** The jq program. */
  program: string;
  /** The jq expressions of scores, by the name of the evaluator. They get the record of the export. */
  scores: Readonly<Record<string, string>>;
  /** The values that the evaluator allows, by its name. An evaluator that does not exist yet is not in it. */
  outputs: Readonly<Record<string, ScoreOutput>>;
  shorten: boolean;
  /** Whether the conversations need no avatar of their own. */
  hasAvatar: boolean;
};

/** A conversation that fits. */
export type Conversation = {
  /** JSON without the avatar. */
  text: string;
  /** The id, your own id, or the name of its avatar; undefined if all conversations get the same avatar. */
  avatar: string | undefined;
  externalId: string | null;
};

/** How many values were shortened, by the name of their field. */
export type Shortened = Record<string, number>;

/** What became of one record. It has no conversations if the map has skipped it. */
export type Converted = {
  conversations: readonly Conversation[];
  /** Why the other results do not fit: the path of a field, and the reason. */
  problems: readonly string[];
  scores: Readonly<Record<string, ScoreValue>>;
  shortened: Shortened;
};

export const failed = (problem: string): Converted => ({
  conversations: [],
  problems: [problem],
  scores: {},
  shortened: {},
});
