import * as z from 'zod';
import { id, shownCount, shownTime } from '../../schema/common.ts';
import { maxUploadBytes } from './store.ts';

export const uploadBytes = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(maxUploadBytes, `must be at most ${maxUploadBytes}`)
  .meta({ description: 'The size of the file. The link accepts only a file of this size.', example: 48_213 });

export const Upload = z
  .object({
    id: id('upload'),
    bytes: shownCount().meta({ description: 'The size of the file.', example: 48_213 }),
    url: z.string().meta({
      description: 'Where to PUT the file, without a credential.',
      example: 'https://bucket.s3.eu-central-1.amazonaws.com/org/live/proj/uploads/upl?X-Amz-Signature=…',
    }),
    expiresAt: shownTime().meta({ description: 'Until when `url` works: 15 minutes.' }),
  })
  .meta({ id: 'Upload', description: 'A place for a file that is imported.' });
