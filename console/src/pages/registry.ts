/** Every page: its address, its title, and the scopes without which its requests would be refused. */

import type { ComponentType } from 'preact';
import type { RequiredScopes } from '../../../lib/base/scopes.ts';
import type { PageParams } from '../router-path.ts';
import { matchPath } from '../router-path.ts';

export type PageModule = { default: ComponentType<{ params: PageParams }> };

export type PageEntry = {
  pattern: string;
  title: string;
  /** The scope that may read what the page shows. */
  scope?: RequiredScopes;
  /** The scope that may change what the page shows. A credential without this scope sees no button for a change. */
  write?: RequiredScopes;
  /** Whether the menu has the page. */
  isInMenu?: boolean;
  load: () => Promise<PageModule>;
};

export const pages: readonly PageEntry[] = [
  {
    pattern: '/',
    title: 'Projects',
    scope: 'projects:read',
    write: 'projects:write',
    isInMenu: true,
    load: () => import('./projects.tsx'),
  },
  {
    pattern: '/projects/:project',
    title: 'Overview',
    scope: 'projects:read',
    isInMenu: true,
    load: () => import('./overview/page.tsx'),
  },
  {
    pattern: '/projects/:project/conversations',
    title: 'Conversations',
    scope: 'conversations:read',
    write: 'conversations:write',
    isInMenu: true,
    load: () => import('./conversations/list.tsx'),
  },
  {
    pattern: '/projects/:project/conversations/:conversation',
    title: 'Conversation',
    scope: 'conversations:read',
    write: 'conversations:write',
    load: () => import('./conversations/transcript.tsx'),
  },
  {
    pattern: '/projects/:project/evaluators',
    title: 'Evaluators',
    scope: 'conversations:read',
    write: 'conversations:write',
    isInMenu: true,
    load: () => import('./evaluators/list.tsx'),
  },
  {
    pattern: '/projects/:project/evaluators/:evaluator',
    title: 'Evaluator',
    scope: 'conversations:read',
    write: 'conversations:write',
    load: () => import('./evaluators/evaluator.tsx'),
  },
  {
    pattern: '/projects/:project/knowledge',
    title: 'Knowledge',
    scope: 'knowledge:read',
    write: 'knowledge:write',
    isInMenu: true,
    load: () => import('./knowledge/documents.tsx'),
  },
  {
    pattern: '/projects/:project/knowledge/search',
    title: 'Knowledge search',
    scope: 'knowledge:read',
    load: () => import('./knowledge/search.tsx'),
  },
  {
    pattern: '/projects/:project/knowledge/test',
    title: 'Knowledge test',
    scope: 'knowledge:read',
    load: () => import('./knowledge/questions/page.tsx'),
  },
  {
    pattern: '/projects/:project/knowledge/sources',
    title: 'Knowledge sources',
    scope: 'knowledge:read',
    write: 'knowledge:write',
    load: () => import('./knowledge/sources/list.tsx'),
  },
  {
    pattern: '/projects/:project/knowledge/sources/:source',
    title: 'Source',
    scope: 'knowledge:read',
    write: 'knowledge:write',
    load: () => import('./knowledge/sources/source.tsx'),
  },
  {
    pattern: '/projects/:project/knowledge/:document',
    title: 'Document',
    scope: 'knowledge:read',
    write: 'knowledge:write',
    load: () => import('./knowledge/document.tsx'),
  },
  {
    pattern: '/projects/:project/avatars',
    title: 'Avatars',
    scope: 'avatars:read',
    write: 'avatars:write',
    isInMenu: true,
    load: () => import('./avatars/list.tsx'),
  },
  {
    pattern: '/projects/:project/avatars/:avatar',
    title: 'Avatar',
    scope: 'avatars:read',
    write: 'avatars:write',
    load: () => import('./avatars/avatar.tsx'),
  },
  {
    pattern: '/projects/:project/avatars/:avatar/try',
    title: 'Try it',
    scope: 'avatars:read',
    write: 'conversations:write',
    load: () => import('./avatars/try/page.tsx'),
  },
  {
    pattern: '/projects/:project/deployments',
    title: 'Deployments',
    scope: 'deploy:read',
    write: 'deploy:write',
    isInMenu: true,
    load: () => import('./deployments/timeline.tsx'),
  },
  {
    pattern: '/projects/:project/deployments/:deployment',
    title: 'Deployment',
    scope: 'deploy:read',
    write: 'deploy:write',
    load: () => import('./deployments/deployment.tsx'),
  },
  {
    pattern: '/projects/:project/deployments/environments/:environment',
    title: 'Environment',
    scope: 'deploy:read',
    write: 'deploy:write',
    load: () => import('./environments/page.tsx'),
  },
  {
    pattern: '/projects/:project/jobs',
    title: 'Jobs',
    isInMenu: true,
    load: () => import('./jobs/list.tsx'),
  },
  { pattern: '/projects/:project/jobs/:job', title: 'Job', load: () => import('./jobs/job.tsx') },
  {
    pattern: '/projects/:project/usage',
    title: 'Usage',
    scope: 'projects:read',
    write: 'projects:write',
    isInMenu: true,
    load: () => import('./project-usage.tsx'),
  },
  {
    pattern: '/keys',
    title: 'API keys',
    scope: 'api-keys:read',
    write: 'api-keys:write',
    isInMenu: true,
    load: () => import('./keys/list.tsx'),
  },
  {
    pattern: '/keys/:key',
    title: 'API key',
    scope: 'api-keys:read',
    write: 'api-keys:write',
    load: () => import('./keys/key.tsx'),
  },
  {
    pattern: '/webhooks',
    title: 'Webhooks',
    scope: 'webhooks:read',
    write: 'webhooks:write',
    isInMenu: true,
    load: () => import('./webhooks/list.tsx'),
  },
  {
    pattern: '/webhooks/:webhook',
    title: 'Webhook',
    scope: 'webhooks:read',
    write: 'webhooks:write',
    load: () => import('./webhooks/webhook.tsx'),
  },
  {
    pattern: '/events',
    title: 'Events',
    scope: 'events:read',
    isInMenu: true,
    load: () => import('./events.tsx'),
  },
  {
    pattern: '/audit',
    title: 'Audit log',
    scope: 'audit:read',
    isInMenu: true,
    load: () => import('./audit.tsx'),
  },
  { pattern: '/usage', title: 'Usage and limits', isInMenu: true, load: () => import('./usage.tsx') },
];

/** @returns the page at a path, with the parameters in it; a literal segment has priority over a parameter */
export function pageAt(path: string): { page: PageEntry; params: PageParams } | undefined {
  const matches = pages.flatMap((page) => {
    const params = matchPath(page.pattern, path);
    return params ? [{ page, params }] : [];
  });
  return matches.sort((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0];
}

/** @returns the pages of the menu, below a project or of the organisation */
export const menuPages = (isBelowProject: boolean): PageEntry[] =>
  pages.filter(({ isInMenu, pattern }) => isInMenu && pattern.startsWith('/projects/') === isBelowProject);
