/** The model that answers for an avatar. A stage may lack it: an avatar may move between stages, so only a reply checks it. */

import * as z from 'zod';
import { name } from '../schema/text.ts';

export const maxAnswerTokens = 4096;

/** What is sent to the model for an avatar without `maxTokens`: providers otherwise reserve the most that the model can answer. */
export const defaultAnswerTokens = 1024;

const members = {
  modelId: name(128).meta({
    description:
      'The id of the model, one of GET /models. A reply refuses a model that the service does not list.',
    example: 'eu.amazon.nova-micro-v1:0',
  }),
  temperature: z.number().min(0).max(1).exactOptional().meta({
    description: 'How much answers vary, from 0 to 1. Missing for the default of the model.',
    example: 0.3,
  }),
  maxTokens: z
    .int()
    .min(1)
    .max(maxAnswerTokens)
    .exactOptional()
    .meta({
      description: `The most tokens of an answer. Missing for ${defaultAnswerTokens}.`,
      example: 1024,
    }),
};

export const avatarModel = z
  .object(members)
  .meta({ id: 'AvatarModel', description: 'The model that answers for the avatar.' });

export type AvatarModel = z.infer<typeof avatarModel>;

/** An avatar is sent as it was read: the temperature has the two decimals that people choose, so any store keeps it. */
export const sentModel = z
  .strictObject({
    ...members,
    temperature: members.temperature
      .unwrap()
      .refine((value) => Math.round(value * 100) / 100 === value, 'must have at most two decimals')
      .exactOptional()
      .meta({ rule: 'At most two decimals.' }),
  })
  .meta({ id: 'AvatarModelInput', description: 'The model that answers for the avatar.' });
