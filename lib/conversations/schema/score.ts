/** Scores, as the API shows them. */

import * as z from 'zod';
import { id, refusedBy, shownCount, shownCredential, shownTime, wholeNumber } from '../../schema/common.ts';
import { outcome, scoreName } from '../../schema/names.ts';
import { refuseHidden, text } from '../../schema/text.ts';
import { maxEvidence, maxRationaleLength, scoreSources } from '../../scores/score.ts';
import { Conversation } from './conversation.ts';

export const scoreSource = z.enum(scoreSources).meta({
  id: 'ScoreSource',
  description: 'Who gave the score: a `rule`, a `model`, a person (`human`), or another program (`api`).',
  example: 'rule',
});

export const rationale = text(maxRationaleLength).meta({
  description: 'Why it has this value.',
  example: 'The user thanks the avatar.',
});

/** Stored rationales may have other characters. */
export const sentRationale = rationale.check(refusedBy(refuseHidden)).meta({
  // No pattern: in Java, `$` is also before the control character U+0085.
  rule: 'Without control characters other than tabs and line breaks.',
});

export const evidence = z
  .array(wholeNumber(1, 1_000_000).meta({ description: 'The `seq` of a message.', example: 3 }))
  .max(maxEvidence, `must have at most ${maxEvidence} messages`)
  .refine((all) => new Set(all).size === all.length, 'must not repeat a message')
  .meta({ description: 'The messages that show it, by their `seq`.', uniqueItems: true, example: [3] });

export const sentSource = z.enum(['api', 'human']).meta({
  id: 'SentScoreSource',
  description: 'Who gives the score: your program (`api`), or a person (`human`).',
  example: 'human',
});

const reason = z.string().nullable().meta({
  description: 'Why there is no value. Null if there is a value.',
  example: null,
});
const version = z.int().min(1).meta({ description: 'The version of the evaluator.', example: 1 });
const stale = z.boolean().meta({
  description: 'Whether messages were added since, so that the score is about the first messages only.',
  example: false,
});

export const Score = z
  .object({
    name: scoreName,
    evaluatorId: id('evaluator'),
    version,
    source: scoreSource,
    value: z.unknown().meta({
      description: 'A value of the output of the evaluator. Null if it is unknown: `reason` says why.',
      example: true,
    }),
    reason,
    rationale: rationale.nullable(),
    evidence: z
      .array(shownCount().meta({ description: 'The `seq` of a message.', example: 3 }))
      .meta({ description: 'The messages that show it, by their `seq`.' }),
    messageCount: shownCount().meta({
      description: 'The number of messages of the conversation that it is about: the first ones.',
      example: 4,
    }),
    stale,
    effective: z.boolean().meta({
      description:
        'Whether it is the score of its name that lists, filters and statistics use: `human` before `api` before `model` and ' +
        '`rule`, then the newest version, then the most messages.',
      example: true,
    }),
    inputTokens: shownCount().nullable().meta({ description: 'Null unless a model gave it.', example: null }),
    outputTokens: shownCount()
      .nullable()
      .meta({ description: 'Null unless a model gave it.', example: null }),
    costUsd: z.number().nullable().meta({ description: 'Null unless a model gave it.', example: null }),
    createdAt: shownTime().meta({ description: 'When it was stored.' }),
    createdBy: shownCredential().meta({
      description: 'The credential that sent it, or on whose behalf the evaluator runs.',
    }),
    jobId: id('job')
      .nullable()
      .meta({ description: 'The run that gave it. Null if there is none.', example: null }),
  })
  .meta({ id: 'Score', description: 'A score of a conversation by one version of an evaluator.' });

export type Score = z.infer<typeof Score>;

export const ConversationScore = z
  .object({
    name: scoreName,
    value: z.union([z.boolean(), z.number(), z.string()]).nullable().meta({
      description:
        'The value. Null for a text or an object, which `GET …/scores` returns, and if it is unknown: then `reason` says why.',
      example: true,
    }),
    reason,
    source: scoreSource,
    version,
    stale,
  })
  .meta({ id: 'ConversationScore', description: 'The effective score of one name.' });

export type ConversationScore = z.infer<typeof ConversationScore>;

export const ScoredConversation = Conversation.extend({
  scores: z.array(ConversationScore).meta({ description: 'The effective scores, by name.' }),
}).meta({
  id: 'Conversation',
  description: 'A conversation with an avatar and its scores, without its messages.',
});

export type ScoredConversation = z.infer<typeof ScoredConversation>;

export const UpsertedConversation = z
  .object({
    outcome,
    conversation: ScoredConversation.meta({ description: 'The conversation as it is stored.' }),
  })
  .meta({ id: 'UpsertedConversation', description: 'A conversation and the outcome of the request.' });
