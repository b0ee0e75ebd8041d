/** A link from a resource to its entries in the audit log. */

import { href } from '../router.ts';
import { can } from '../session/session.ts';

export const AuditLink = ({ id }: { id: string }) =>
  can('audit:read') ? <a href={href('/audit', { resourceId: id })}>Who changed it</a> : null;
