/** The resources that the palette finds by name: one page of each kind that the credential may list. */

import { type Platform, PlatformError } from '../../clients/typescript/src/index.ts';
import type { Scope } from '../../lib/base/scopes.ts';
import { can, session } from './session/session.ts';

export type NamedResource = {
  id: string;
  /** What Enter does: `Open avatar Clara`. */
  label: string;
  path: string;
};

/** `isWhole` is false if there are more resources, or if a request has failed. */
export type Names = { items: readonly NamedResource[]; isWhole: boolean };

type Options = { signal: AbortSignal };
type ResourceName = { id: string; name: string };
type Kind = {
  scope: Scope;
  label: string;
  path: (id: string) => string;
  load: (options: Options) => Promise<{ items: readonly ResourceName[]; isWhole: boolean }>;
};

const query = { limit: 100 } as const;

type AnyPage<Item> = PromiseLike<{ items: readonly Item[]; hasNextPage(): boolean }>;

const namesIn = async <Item extends { id: string }>(
  request: AnyPage<Item>,
  nameOf: (item: Item) => string,
) => {
  const page = await request;
  const items = page.items.map((item) => ({ id: item.id, name: nameOf(item) }));
  return { items, isWhole: !page.hasNextPage() };
};

const inOrganisation = ({ projects, apiKeys, webhooks }: Platform): readonly Kind[] => [
  {
    scope: 'projects:read',
    label: 'project',
    path: (id) => `/projects/${id}`,
    load: (options) => namesIn(projects.list(query, options), ({ name }) => name),
  },
  {
    scope: 'api-keys:read',
    label: 'key',
    path: (id) => `/keys/${id}`,
    load: (options) => namesIn(apiKeys.list(query, options), ({ name }) => name),
  },
  {
    scope: 'webhooks:read',
    label: 'webhook',
    path: (id) => `/webhooks/${id}`,
    load: (options) => namesIn(webhooks.list(query, options), ({ description, url }) => description ?? url),
  },
];

function inProject(platform: Platform, project: string): readonly Kind[] {
  const { avatars, evaluators, knowledge } = platform.projects(project);
  return [
    {
      scope: 'avatars:read',
      label: 'avatar',
      path: (id) => `/projects/${project}/avatars/${id}`,
      load: (options) => namesIn(avatars.list(query, options), ({ name }) => name),
    },
    {
      scope: 'conversations:read',
      label: 'evaluator',
      path: (id) => `/projects/${project}/evaluators/${id}`,
      load: (options) => namesIn(evaluators.list(query, options), ({ name }) => name),
    },
    {
      scope: 'knowledge:read',
      label: 'document',
      path: (id) => `/projects/${project}/knowledge/${id}`,
      load: (options) => namesIn(knowledge.documents.list(query, options), ({ title }) => title),
    },
    {
      scope: 'knowledge:read',
      label: 'source',
      path: (id) => `/projects/${project}/knowledge/sources/${id}`,
      load: (options) => namesIn(knowledge.sources.list(query, options), ({ url }) => url),
    },
  ];
}

/** Loads one page of each kind. A kind that cannot be loaded does not hide the others. */
export async function loadNames(project: string | undefined, signal: AbortSignal): Promise<Names> {
  const platform = session.peek()?.platform;
  if (!platform) return { items: [], isWhole: true };
  const kinds = [...inOrganisation(platform), ...(project ? inProject(platform, project) : [])];
  const pages = await Promise.all(
    kinds
      .filter(({ scope }) => can(scope))
      .map(async ({ label, path, load }) => {
        try {
          const { items, isWhole } = await load({ signal });
          const links = items.map(({ id, name }) => ({ id, label: `Open ${label} ${name}`, path: path(id) }));
          return { items: links, isWhole };
        } catch (error) {
          if (error instanceof PlatformError) return { items: [], isWhole: false };
          throw error;
        }
      }),
  );
  return { items: pages.flatMap(({ items }) => items), isWhole: pages.every(({ isWhole }) => isWhole) };
}
