/**
 * Compares the `externalId` of a body with that of the path. Reads the validated params and body; sets nothing. May fail with
 * `validation_error`.
 */

import { invalidField } from '../../base/errors.ts';
import type { Middleware, Request } from '../call.ts';
import { callAt } from '../stages.ts';

export function repeatedId(): Middleware {
  function repeatedIdBefore({ context }: Request): void {
    const { params, body } = callAt(context.call, 'validated');
    if (params.external_id === undefined) return;
    const { externalId } = body as { externalId?: string };
    if (externalId !== undefined && externalId !== params.external_id)
      throw invalidField('externalId', 'must equal the externalId of the path');
  }

  return { before: repeatedIdBefore };
}
