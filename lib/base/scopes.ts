/** Scopes are `<resource>:<permission>`; write includes read. */

export const scopeResources = {
  'api-keys': 'API keys',
  projects: 'projects',
  avatars: 'avatars',
  knowledge: 'knowledge documents, re-indexing and search',
  conversations: 'conversations and transcripts',
  deploy: 'deployments and environments',
  webhooks: 'webhooks and their deliveries',
  events: 'events',
  audit: 'the audit log',
} as const;

export type ScopeResource = keyof typeof scopeResources;
export type Scope = `${ScopeResource}:${'read' | 'write'}`;

export const allScopes = Object.keys(scopeResources).flatMap((resource) => [
  `${resource}:read` as Scope,
  `${resource}:write` as Scope,
]);

/** The scopes of a root key: all. */
export const rootScopes = allScopes.filter((scope) => scope.endsWith(':write'));

/** @returns whether the scopes `held` include `wanted` */
export function holds(held: readonly string[], wanted: Scope): boolean {
  if (held.includes(wanted)) return true;
  return wanted.endsWith(':read') && held.includes(wanted.replace(/read$/, 'write'));
}

/** @returns `the scope a:read`, or `the scopes a:read, b:read` */
export const namedScopes = (scopes: readonly Scope[]): string =>
  `the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(', ')}`;

/** @returns the scopes in `wanted` that `held` does not include */
export const missingScopes = (held: readonly string[], wanted: readonly Scope[]): Scope[] =>
  wanted.filter((scope) => !holds(held, scope));
