import * as z from 'zod';
import { id, shownCount, shownTime } from '../../../schema/common.ts';
import { maxUploadBytes, uploadPurposes } from './store.ts';

const uploadBytes = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(maxUploadBytes.conversations, `must be at most ${maxUploadBytes.conversations}`)
  .meta({
    description:
      'The size of the file: at most 100 MB, and 25 MB for `knowledge`. The link accepts only a file of this size.',
    example: 48_213,
  });

const purpose = z.enum(uploadPurposes).meta({
  id: 'UploadPurpose',
  description: 'What the file is for: an import of conversations, or a document of the knowledge.',
  example: 'knowledge',
});

export const newUpload = z
  .strictObject({ bytes: uploadBytes, purpose: purpose.default('conversations') })
  .refine(({ bytes, purpose }) => purpose !== 'knowledge' || bytes <= maxUploadBytes.knowledge, {
    path: ['bytes'],
    error: `must be at most ${maxUploadBytes.knowledge} for knowledge`,
  });

export const Upload = z
  .object({
    id: id('upload'),
    bytes: shownCount().meta({ description: 'The size of the file.', example: 48_213 }),
    purpose,
    url: z.string().meta({
      description: 'Where to PUT the file, without a credential.',
      example: 'https://bucket.s3.eu-central-1.amazonaws.com/org/live/proj/uploads/upl?X-Amz-Signature=…',
    }),
    expiresAt: shownTime().meta({ description: 'Until when `url` works: 15 minutes.' }),
  })
  .meta({ id: 'Upload', description: 'A place for a file.' });
