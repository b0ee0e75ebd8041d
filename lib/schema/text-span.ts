import * as z from 'zod';
import { shownCount } from './common.ts';

/** Offsets count UTF-16 code units, as JavaScript and Java do. */
export const TextSpan = z
  .object({
    start: shownCount().meta({ description: 'The offset of the first code unit.', example: 12 }),
    end: shownCount().meta({ description: 'The offset after the last code unit.', example: 17 }),
  })
  .meta({ id: 'TextSpan', description: 'A part of a text.' });
