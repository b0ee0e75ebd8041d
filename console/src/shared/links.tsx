/** Links to resources, to their entries in the audit log, and to pages of the web. */

import type { Scope } from '../../../lib/base/scopes.ts';
import { href } from '../router.ts';
import { can } from '../session/session.ts';
import { Id } from './copy.tsx';
import { resourceName } from './resource-names.ts';
import { Name } from './text.tsx';

type Place = { scope?: Scope; path: (id: string, project: string) => string; isBelowProject?: boolean };

/** The pages of resources, by the prefix of their ids. */
const places: Readonly<Record<string, Place>> = {
  key: { scope: 'api-keys:read', path: (id) => `/keys/${id}` },
  whk: { scope: 'webhooks:read', path: (id) => `/webhooks/${id}` },
  proj: { scope: 'projects:read', path: (id) => `/projects/${id}` },
  avtr: {
    scope: 'avatars:read',
    path: (id, project) => `/projects/${project}/avatars/${id}`,
    isBelowProject: true,
  },
  kdoc: {
    scope: 'knowledge:read',
    path: (id, project) => `/projects/${project}/knowledge/${id}`,
    isBelowProject: true,
  },
  src: {
    scope: 'knowledge:read',
    path: (id, project) => `/projects/${project}/knowledge/sources/${id}`,
    isBelowProject: true,
  },
  conv: {
    scope: 'conversations:read',
    path: (id, project) => `/projects/${project}/conversations/${id}`,
    isBelowProject: true,
  },
  eval: {
    scope: 'conversations:read',
    path: (id, project) => `/projects/${project}/evaluators/${id}`,
    isBelowProject: true,
  },
  dep: {
    scope: 'deploy:read',
    path: (id, project) => `/projects/${project}/deployments/${id}`,
    isBelowProject: true,
  },
  job: { path: (id, project) => `/projects/${project}/jobs/${id}`, isBelowProject: true },
};

type Props = { id: string; project: string | null; name?: string | undefined };

/** @param name the name of the resource, if the page has it */
export function ResourceLink({ id, project, name }: Props) {
  const place = places[id.split('_')[0] ?? ''];
  const isReachable =
    place && (!place.scope || can(place.scope)) && (project !== null || !place.isBelowProject);
  if (!isReachable) return name ? <Name value={name} /> : <Id value={id} />;
  return (
    <a href={href(place.path(id, project ?? ''))} title={id}>
      <Name value={name ?? `…${id.slice(-6)}`} />
    </a>
  );
}

/** A link to a document by its title, for pages that have only its id. */
export const DocumentLink = ({ project, id }: { project: string; id: string }) => (
  <ResourceLink id={id} project={project} name={resourceName(id, project) ?? `Document …${id.slice(-6)}`} />
);

/** A link from a resource to its entries in the audit log. */
export const AuditLink = ({ id }: { id: string }) =>
  can('audit:read') ? <a href={href('/audit', { resourceId: id })}>Who changed it</a> : null;

/** The address of a page of the web. It comes from a caller or from a site, so only an `http` or `https` address is a link. */
export const WebLink = ({ url }: { url: string }) =>
  /^https?:\/\//.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      <Name value={url} />
    </a>
  ) : (
    <Name value={url} />
  );
