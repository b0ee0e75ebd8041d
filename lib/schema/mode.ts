import * as z from 'zod';

export const mode = z
  .enum(['live', 'test'])
  .meta({ id: 'Mode', description: 'Live or test: their data is separate.' });
