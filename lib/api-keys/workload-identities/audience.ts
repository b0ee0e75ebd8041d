/**
 * The audience of a workload identity: `urn:platform:org_…:live:wid_…`. A token names it as its only audience (`aud`), so the
 * token shows which item to read, and is of no use for anything else.
 */

import { type Mode, type Tenant, tenantOf } from '../../base/caller.ts';
import { idPattern } from '../../base/ids.ts';

export const audiencePrefix = 'urn:platform:';

/** @returns the audience that the tokens of the identity must have */
export const audienceOf = ({ tenant, id }: { tenant: string; id: string }): string =>
  `${audiencePrefix}${tenant.replace('#', ':')}:${id}`;

export type Audience = { organisationId: string; mode: Mode; tenant: Tenant; identityId: string };

const isOrganisation = idPattern('organisation');
const isIdentity = idPattern('workloadIdentity');

/** @returns the identity that the audience names, or undefined if it does not have exactly this form */
export function parseAudience(text: string): Audience | undefined {
  if (!text.startsWith(audiencePrefix)) return undefined;
  const [organisationId = '', mode, identityId = '', ...more] = text.slice(audiencePrefix.length).split(':');
  if (more.length > 0 || (mode !== 'live' && mode !== 'test')) return undefined;
  if (!isOrganisation.test(organisationId) || !isIdentity.test(identityId)) return undefined;
  return { organisationId, mode, tenant: tenantOf(organisationId, mode), identityId };
}
