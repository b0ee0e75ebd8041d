import * as z from 'zod';
import { maxUrlLength, refuseHttpsUrl } from '../network/url-form.ts';
import { atLeastOneField, id, refusedBy, shownCredential, shownTime } from '../schema/common.ts';
import { metadata } from '../schema/metadata.ts';
import { externalIdOf, outcome } from '../schema/names.ts';
import { name, text } from '../schema/text.ts';
import { maxPromptLength } from './limits.ts';
import { avatarModel, sentModel } from './model.ts';
import { runtime, sentRuntime } from './runtime.ts';

export const avatarName = name(100).meta({ description: 'A display name.', example: 'Ada' });

const prompt = text(maxPromptLength).min(1, 'must not be empty').meta({
  description: 'Instructions for the avatar: who it is and how it behaves.',
  example: 'You are Ada. You answer in one sentence.',
});

const greeting = text(1000)
  .nullable()
  .meta({ description: 'The first thing that it says; null for nothing.', example: 'Hello, I am Ada.' });

/** The form of a tag (UTS 35, `unicode_bcp47_locale_id`). It does not exclude repeated parts. */
const languagePattern =
  '^([A-Za-z]{2,3}|[A-Za-z]{5,8})(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*' +
  '(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*(-[xX](-[A-Za-z0-9]{1,8})+)?$';

/** RFC 5646 section 4.4.1 requires programs to accept language tags of this length. */
const sentLanguage = z
  .string()
  .max(35, 'must be at most 35 characters')
  .refine((tag) => canonicalLanguage(tag) !== undefined, 'must be a BCP 47 language tag such as en-GB')
  .transform((tag) => canonicalLanguage(tag) ?? tag)
  .meta({
    description: 'A BCP 47 language tag. Stored in canonical form.',
    pattern: languagePattern,
    example: 'en-GB',
  });

/** @returns the tag in canonical form (RFC 5646 section 4.5), or undefined if it is invalid */
function canonicalLanguage(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

export const defaultLanguage = 'en';

const newPersona = z
  .strictObject({
    prompt,
    greeting: greeting.optional(),
    language: sentLanguage.optional().meta({
      description: `A BCP 47 language tag. Stored in canonical form. Default: \`${defaultLanguage}\`.`,
    }),
  })
  .meta({ id: 'PersonaInput', description: 'Who the avatar is and how it speaks.' });

/** The fields in the request change, and the others stay. */
export const personaChanges = atLeastOneField(
  z.strictObject({
    prompt: prompt.exactOptional(),
    greeting: greeting.exactOptional(),
    language: sentLanguage.exactOptional(),
  }),
).meta({
  id: 'PersonaChange',
  description:
    'The changes to the character of the avatar and its way of speaking. Other fields keep their values.',
});

const voiceMembers = {
  provider: name(40).meta({ description: 'The provider of the voice.', example: 'elevenlabs' }),
  voiceId: name(100).meta({
    description: "The provider's id of the voice.",
    example: '21m00Tcm4TlvDq8ikWAM',
  }),
};

/** The id of a voice is valid only with its provider, so both change together. */
export const newVoice = z
  .strictObject(voiceMembers)
  .meta({ id: 'VoiceInput', description: 'The voice of the avatar.' });

const imageUrl = text(maxUrlLength).meta({
  description: 'The https address of its image.',
  format: 'uri',
  pattern: '^[hH][tT][tT][pP][sS]://[^\\x00-\\x20\\x7f-\\xa0]+$',
  example: 'https://cdn.example.com/ada.png',
});

/** Requests have this check. Stored texts are not checked again. */
export const sentImageUrl = imageUrl.check(refusedBy(refuseHttpsUrl)).meta({
  description:
    'The https address of its image, without a user name and a password. It is stored and shown as it was sent.',
  pattern:
    '^[hH][tT][tT][pP][sS]://[^\\x00-\\x20\\x7f-\\xa0/?#@*\\\\]+([/?#][^\\x00-\\x20\\x7f-\\xa0\\\\]*)?$',
});

export const avatarExternalId = externalIdOf('avatar, unique in the project', 'ada');

const maxKnowledgeTags = 20;

export const knowledgeTags = z
  .array(name(40))
  .max(maxKnowledgeTags, `must have at most ${maxKnowledgeTags} tags`)
  .refine((tags) => new Set(tags).size === tags.length, 'must not repeat a tag')
  .meta({
    description: 'The avatar knows the documents that have at least one of these tags.',
    uniqueItems: true,
    example: ['orders'],
  });

export const sentAvatar = {
  name: avatarName,
  persona: newPersona,
  voice: newVoice.nullable().optional(),
  imageUrl: sentImageUrl.nullable().optional(),
  knowledgeTags: knowledgeTags.optional(),
  model: sentModel.nullable().optional(),
  runtime: sentRuntime.optional(),
  metadata: metadata.optional(),
};

const sentSchema = z.strictObject(sentAvatar);
export type SentAvatar = z.infer<typeof sentSchema>;

/** The content of an avatar, which a version freezes and a deployment serves. */
export const avatarContent = {
  name: avatarName,
  persona: z
    .object({
      prompt,
      greeting,
      language: z.string().meta({ description: 'A BCP 47 language tag.', example: 'en-GB' }),
    })
    .meta({ id: 'Persona', description: 'Who the avatar is and how it speaks.' }),
  voice: z.object(voiceMembers).meta({ id: 'Voice', description: 'The voice of the avatar.' }).nullable(),
  imageUrl: imageUrl.nullable(),
  knowledgeTags,
  model: avatarModel.nullable(),
  runtime,
  metadata,
};

export const versionNumber = z.int().min(1).meta({
  description: 'The version of the avatar, which increases by one with each change.',
  example: 3,
});

export const avatarStatus = z.enum(['active', 'archived']).meta({
  id: 'AvatarStatus',
  description: 'Whether deployments include the avatar: they include only active avatars.',
  example: 'active',
});

export const Avatar = z
  .object({
    id: id('avatar'),
    externalId: avatarExternalId.nullable(),
    ...avatarContent,
    status: avatarStatus,
    version: versionNumber,
    createdAt: shownTime().meta({ description: 'When the avatar was created.' }),
    updatedAt: shownTime().meta({ description: 'When the avatar was last changed.' }),
    createdBy: shownCredential().meta({ description: 'The credential that created it.' }),
  })
  .meta({ id: 'Avatar', description: 'A persona with a voice and an image.' });

export type Avatar = z.infer<typeof Avatar>;

export const UpsertedAvatar = z
  .object({ outcome, avatar: Avatar.meta({ description: 'The avatar as it is stored.' }) })
  .meta({ id: 'UpsertedAvatar', description: 'An avatar and the outcome of the request.' });

export type UpsertedAvatar = z.infer<typeof UpsertedAvatar>;

export const AvatarVersion = z
  .object({
    avatarId: id('avatar'),
    version: versionNumber,
    ...avatarContent,
    status: avatarStatus,
    createdAt: shownTime().meta({ description: 'When the version was created.' }),
    createdBy: shownCredential().meta({ description: 'The credential that made this change.' }),
  })
  .meta({ id: 'AvatarVersion', description: 'An avatar as it was after one change. Versions never change.' });

export type AvatarVersion = z.infer<typeof AvatarVersion>;

export const versionInPath = z
  .string()
  .regex(/^[1-9]\d{0,9}$/)
  .transform(Number)
  .meta({
    description: 'The version of the avatar.',
    documentedAs: { type: 'integer', minimum: 1 },
  });
