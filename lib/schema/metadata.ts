import * as z from 'zod';
import { name, text } from './text.ts';

const maxMetadataPairs = 50;
export const maxFieldNameLength = 40;

export const metadata = z
  .record(name(maxFieldNameLength), text(500))
  .refine(
    (pairs) => Object.keys(pairs).length <= maxMetadataPairs,
    `must have at most ${maxMetadataPairs} pairs`,
  )
  .meta({
    id: 'Metadata',
    description: 'Your own data: names of up to 40 characters, values of up to 500.',
    maxProperties: maxMetadataPairs,
    example: { costCentre: '4711' },
  });
