/** The schema of the models in the settings of a stage. */

import * as z from 'zod';
import type { KeyPlace, Model } from '../lib/models/models.ts';
import { hostOf, refuseUrl } from '../lib/network/addresses.ts';

/** A list of all models is one page of the API. */
const maxModels = 50;

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

const bedrockId = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:[a-z0-9]+)*$/;

const shape = z.strictObject({
  /** The id of a model, or of an inference profile: with a place in front. With a `baseUrl`, any id. */
  id: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]*$/, { error: 'must be letters, digits, and . _ : / -' }),
  inputUsdPerMillionTokens: usdPerMillionTokens,
  outputUsdPerMillionTokens: usdPerMillionTokens,
  /** Longer requests are not sent. Default: requests of 400 KB. */
  maxInputTokens: z.int().min(1000).max(2_000_000).exactOptional(),
  /** The most that an answer may have. */
  maxOutputTokens: z.int().min(1).max(1_000_000).exactOptional(),
  /** A reply whose answer takes longer ends as unknown. Default: 120. */
  maxAnswerSeconds: z.int().min(5).max(120).exactOptional(),
  /** The regions to which an inference profile sends requests. */
  regions: z
    .array(z.string().regex(/^[a-z]{2}(-[a-z]+)+-[0-9]$/, { error: 'must be a region' }))
    .min(1)
    .max(20)
    .exactOptional(),
  /** An endpoint with OpenAI's chat completions: its URL before `/chat/completions`. */
  baseUrl: z.string().max(500).exactOptional(),
  /** The name that the endpoint has for the model. */
  model: z.string().min(1).max(200).exactOptional(),
  /** The secret of Secrets Manager that is the key of the endpoint. */
  secretName: z
    .string()
    .regex(/^[\w/+=.@-]{1,512}$/, { error: 'must be the name of a secret, and no ARN' })
    .exactOptional(),
  /** The SecureString of SSM that is the key of the endpoint. */
  parameterName: z
    .string()
    .regex(/^\/?[\w.-]+(\/[\w.-]+)*$/, { error: 'must be the name of a parameter, and no ARN' })
    .max(1000)
    .exactOptional(),
  /** The hosts that may have addresses of a private network. */
  privateHosts: z.array(z.string().min(1).max(253)).max(10).exactOptional(),
  maxTokensField: z.enum(['max_completion_tokens']).exactOptional(),
});

export type ListedModel = z.output<typeof shape>;

const ListedModel = shape.superRefine((listed, context) => {
  const refuse = (path: keyof ListedModel, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  const { id, regions, baseUrl, model, privateHosts = [] } = listed;
  if (baseUrl === undefined) {
    if (!bedrockId.test(id))
      refuse('id', 'must be the id of a model or of an inference profile of Bedrock, and no ARN');
    else if ((placeOf(id) === undefined) !== (regions === undefined))
      refuse('regions', 'must be given for an inference profile, with all of its regions, and only for one');
    for (const name of ['model', 'secretName', 'parameterName', 'privateHosts', 'maxTokensField'] as const)
      if (listed[name] !== undefined) refuse(name, 'is only for a model with a baseUrl');
    return;
  }
  const fault = refuseUrl(baseUrl, { allowLoopback: false, privateHosts });
  if (fault !== undefined) refuse('baseUrl', fault);
  else if (baseUrl.includes('?')) refuse('baseUrl', 'must not have a query');
  else if (privateHosts.some((host) => host !== hostOf(new URL(baseUrl))))
    refuse('privateHosts', 'must be the host of the baseUrl');
  if (model === undefined) refuse('model', 'is required: the name that the endpoint has for the model');
  if (regions !== undefined) refuse('regions', 'is only for an inference profile of Bedrock');
  if (listed.secretName !== undefined && listed.parameterName !== undefined)
    refuse('parameterName', 'must not be given beside secretName');
});

export const Models = z
  .array(ListedModel)
  .max(maxModels)
  .refine((models) => new Set(models.map(({ id }) => id)).size === models.length, {
    error: 'must not list a model twice',
  });

function keyOf({ secretName, parameterName }: ListedModel): { key: KeyPlace } | undefined {
  if (secretName !== undefined) return { key: { secretName } };
  return parameterName === undefined ? undefined : { key: { parameterName } };
}

/** @returns the model as functions know it */
export const modelOf = (listed: ListedModel): Model => {
  const { id, inputUsdPerMillionTokens, outputUsdPerMillionTokens, maxInputTokens, maxOutputTokens } = listed;
  const { baseUrl, model, privateHosts, maxTokensField, maxAnswerSeconds } = listed;
  return {
    id,
    inputUsdPerMillionTokens,
    outputUsdPerMillionTokens,
    ...(maxInputTokens !== undefined && { maxInputTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(maxAnswerSeconds !== undefined && { maxAnswerSeconds }),
    ...(baseUrl !== undefined &&
      model !== undefined && {
        endpoint: {
          baseUrl,
          model,
          ...keyOf(listed),
          ...(privateHosts && { privateHosts }),
          ...(maxTokensField && { maxTokensField }),
        },
      }),
  };
};
