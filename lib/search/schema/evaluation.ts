/** Questions whose answers are known, and how well a version of the index answers them. */

import * as z from 'zod';
import { id, wholeNumber } from '../../schema/common.ts';
import { environmentName } from '../../schema/names.ts';
import { name, text } from '../../schema/text.ts';
import { hasTerm } from '../../text/terms.ts';
import { searchMode } from './search.ts';

export const maxQuestions = 50;
const maxExpected = 10;
const maxGrade = 3;
const maxPassageLength = 500;

/** The schema is not that of documents, so that the function does not bundle theirs. */
const externalName = name(255);

const ExpectedDocument = z
  .strictObject({
    documentId: id('knowledgeDocument').optional().meta({
      description: 'The id of the document.',
    }),
    source: externalName.nullable().optional().meta({
      description: 'The source of the document. Without `source`, a document without a source is meant.',
      example: 'handbook',
    }),
    externalId: externalName.optional().meta({
      description: 'Your own id of the document, in place of `documentId`.',
      example: 'handbook/returns.md',
    }),
    grade: wholeNumber(1, maxGrade)
      .default(1)
      .meta({
        description:
          'How well the document answers the question, compared with the others. It counts 2^grade - 1 in ' +
          '`ndcgAt10`. The other measures do not use it.',
      }),
    contains: text(maxPassageLength)
      .min(1, 'must not be empty')
      .refine((passage) => passage === '' || passage.trim() !== '', 'must not be blank')
      .meta({ pattern: '[^\\x00-\\x20\\x7f-\\xa0\\xad]' })
      .optional()
      .meta({
        description:
          'The passage of the document that has the answer. Letter case and white space do not count.',
        example: 'within 30 days',
      }),
  })
  .check(({ value, issues }) => {
    const refuse = (field: string, message: string) =>
      issues.push({ code: 'custom', message, path: [field], input: value });
    const { documentId, externalId, source } = value;
    if (documentId === undefined && externalId === undefined)
      refuse('documentId', 'is required, or externalId');
    if (documentId !== undefined && externalId !== undefined)
      refuse('externalId', 'must be left out if there is a documentId');
    if (documentId !== undefined && source !== undefined)
      refuse('source', 'must be left out if there is a documentId');
  })
  .meta({
    id: 'ExpectedDocument',
    description:
      'A document that answers the question: `documentId`, or `externalId` with its `source`. Name it several times if several ' +
      'of its passages answer the question.',
  });

export type ExpectedDocument = z.infer<typeof ExpectedDocument>;

const EvaluatedQuestion = z
  .strictObject({
    q: name(500)
      .refine(hasTerm, 'must contain a word')
      .meta({ description: 'What a user would ask.', example: 'how do I send something back' }),
    expect: z
      .array(ExpectedDocument)
      .min(1, 'must have at least one document')
      .max(maxExpected, `must have at most ${maxExpected} documents`)
      .check(({ value, issues }) => {
        const seen = new Set<string>();
        for (const [index, { documentId, source = null, externalId, contains }] of value.entries()) {
          const key = JSON.stringify([documentId, source, externalId, contains]);
          if (seen.has(key))
            issues.push({ code: 'custom', message: 'must be unique', path: [index], input: value[index] });
          seen.add(key);
        }
      })
      .meta({ description: 'The documents that answer the question.' }),
  })
  .meta({ id: 'EvaluationQuestion', description: 'A question, and the documents that answer it.' });

export type EvaluatedQuestion = z.infer<typeof EvaluatedQuestion>;

export const evaluationBody = z.strictObject({
  questions: z
    .array(EvaluatedQuestion)
    .min(1, 'must have at least one question')
    .max(maxQuestions, `must have at most ${maxQuestions} questions`)
    .meta({ description: 'The questions.' }),
  environment: environmentName.optional().meta({
    description:
      "Evaluates the index of this environment's current deployment, in place of the published one.",
  }),
  deploymentId: id('deployment').optional().meta({
    description: 'Evaluates the index of this deployment. Not together with `environment`.',
  }),
  mode: searchMode.default('hybrid').meta({
    description: '`hybrid` compares words and meanings, `lexical` only words.',
  }),
});

const measures = {
  ndcgAt10: z.number().meta({
    description:
      'The normalised discounted cumulative gain of the first ten documents: 1 if the expected documents come first, ' +
      'with the best grades before the others; 0 if the search finds no expected document.',
    example: 0.81,
  }),
  recallAt5: z.number().meta({
    description: 'The share of the expected documents that are among the first five documents.',
    example: 0.9,
  }),
  mrr: z.number().meta({
    description:
      '1 divided by the rank of the first expected document; 0 if no expected document is among the first ten.',
    example: 0.75,
  }),
};

const answers = {
  answerIn5: z
    .number()
    .nullable()
    .meta({
      description:
        '1 if a passage of the question is in the `text` of the first five pieces that a search returns; 0 if it is in none of ' +
        'them. Null if the question names no passage with `contains`.',
      example: 1,
    }),
  answerIn10: z.number().nullable().meta({ description: 'The same for the first ten pieces.', example: 1 }),
};

const mode = searchMode.meta({
  isOpen: true,
  description:
    'How the index was searched. `lexical` if the request asks for it, if the version has no meanings, or if the model ' +
    'does not speak the language of the question.',
});

const FoundDocument = z
  .object({
    documentId: id('knowledgeDocument'),
    title: z.string().meta({ description: 'The title of the document.', example: 'Returns' }),
    score: z.number().meta({
      description: 'The score of its best piece. Scores are comparable only within one question.',
      example: 12.4,
    }),
    grade: z
      .int()
      .nullable()
      .meta({ description: 'Its grade if it was expected, otherwise null.', example: 1 }),
  })
  .meta({ id: 'FoundDocument', description: 'A document that was found.' });

const ExpectedRank = z
  .object({
    documentId: id('knowledgeDocument').nullable().meta({
      description: 'The id of the document. Null if no document has the `externalId` in this source.',
    }),
    grade: z.int().meta({ description: 'Its grade.', example: 1 }),
    rank: z
      .int()
      .nullable()
      .meta({ description: 'Its rank from 1 to 10. Null if it is not among the first ten.', example: 1 }),
    passageRank: z
      .int()
      .nullable()
      .meta({
        description:
          'The rank, from 1 to 10, of the first piece of this document that has the passage. Null if no piece among the first ' +
          'ten has it, and without `contains`.',
        example: 1,
      }),
    missing: z.boolean().meta({
      description:
        'Whether the index does not contain the document: it was deleted, it never existed, it could not be read, or it ' +
        'waits for the next re-indexing. It counts as not found.',
    }),
  })
  .meta({ id: 'ExpectedRank', description: 'Where an expected document was found.' });

export const Evaluation = z
  .object({
    indexVersion: z.string().meta({ description: 'The index version that was searched.' }),
    mode: mode.meta({
      description:
        'How the index was searched: `hybrid` if the meaning of at least one question was compared.',
    }),
    ndcgAt10: measures.ndcgAt10.meta({ description: 'The mean of `ndcgAt10` of the questions.' }),
    recallAt5: measures.recallAt5.meta({ description: 'The mean of `recallAt5` of the questions.' }),
    mrr: measures.mrr.meta({ description: 'The mean of `mrr` of the questions.' }),
    answerIn5: answers.answerIn5.meta({
      description:
        'The share of the questions with a passage whose passage is in the text of the first five pieces. Null if no question ' +
        'names one.',
    }),
    answerIn10: answers.answerIn10.meta({ description: 'The same for the first ten pieces.' }),
    questions: z
      .array(
        z
          .object({
            q: z.string().meta({ description: 'The question.', example: 'how do I send something back' }),
            mode,
            ...measures,
            ...answers,
            expected: z
              .array(ExpectedRank)
              .meta({ description: 'The expected documents, in the order of the request.' }),
            found: z.array(FoundDocument).meta({ description: 'The first five documents, best first.' }),
          })
          .meta({ id: 'QuestionEvaluation', description: 'How well a question was answered.' }),
      )
      .meta({ description: 'The questions, in the order of the request.' }),
  })
  .meta({ id: 'Evaluation', description: 'How well an index version answers questions.' });

export type Evaluation = z.infer<typeof Evaluation>;
