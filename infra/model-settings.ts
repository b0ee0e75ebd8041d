/** The schema of the models in the settings of a stage. */

import * as z from 'zod';

/** The list of models must fit into the variables of a function, which have 4 KB. */
const maxModels = 15;

const usdPerMillionTokens = z.number().nonnegative().max(10_000);

/**
 * The places in front of the id of an inference profile, which sends a request to one of several regions ("Supported Regions and
 * models for inference profiles", Amazon Bedrock User Guide).
 */
const places = ['us', 'us-gov', 'eu', 'apac', 'au', 'jp', 'ca', 'sa', 'uk', 'in', 'global'];

/** @returns where an inference profile is; undefined for a model */
export function placeOf(id: string): string | undefined {
  const [place = ''] = id.split('.', 1);
  return places.includes(place) ? place : undefined;
}

const ListedModel = z
  .strictObject({
    /** The id of a model, or of an inference profile: with a place in front. */
    id: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+(:[a-z0-9]+)*$/, {
      error: 'must be the id of a model or of an inference profile of Bedrock, and no ARN',
    }),
    inputUsdPerMillionTokens: usdPerMillionTokens,
    outputUsdPerMillionTokens: usdPerMillionTokens,
    /** Longer transcripts are not sent. Default: requests of 400 KB. */
    maxInputTokens: z.int().min(1000).max(2_000_000).exactOptional(),
    /** The regions to which an inference profile sends requests. */
    regions: z
      .array(z.string().regex(/^[a-z]{2}(-[a-z]+)+-[0-9]$/, { error: 'must be a region' }))
      .min(1)
      .max(20)
      .exactOptional(),
  })
  .refine(({ id, regions }) => (placeOf(id) === undefined) === (regions === undefined), {
    path: ['regions'],
    error: 'must be given for an inference profile, with all of its regions, and only for one',
  });

export const Models = z
  .array(ListedModel)
  .max(maxModels)
  .refine((models) => new Set(models.map(({ id }) => id)).size === models.length, {
    error: 'must not list a model twice',
  });
