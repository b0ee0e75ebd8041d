/** This file is separate, so that endpoints that need only the name do not load all schemas of deployments. */

import * as z from 'zod';

export const environmentNamePattern = /^[a-z0-9-]{1,40}$/;

export const environmentName = z
  .string()
  .regex(environmentNamePattern, 'must be 1 to 40 of a-z, 0-9 and -')
  .meta({
    description: 'The name of the environment. The first deployment to it creates it.',
    example: 'production',
  });
