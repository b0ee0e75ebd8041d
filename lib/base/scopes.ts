/** Scopes are `<resource>:<permission>`. The permission write includes read. */

export const scopeResources = {
  'api-keys': 'API keys',
  projects: 'projects',
  avatars: 'avatars',
  knowledge: 'knowledge documents, re-indexing and search',
  conversations: 'conversations and transcripts',
  deploy: 'deployments and environments',
  runtime: 'the configuration, the search and the conversations of a runtime',
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

export const rootScopes = allScopes.filter((scope) => scope.endsWith(':write'));

/** The scopes of a runtime allow a part of what these scopes allow together. So a credential with them also holds the smaller scope. */
const partOf: Partial<Record<Scope, readonly Scope[]>> = {
  'runtime:read': ['deploy:read', 'knowledge:read'],
  'runtime:write': ['conversations:write', 'deploy:read', 'knowledge:read'],
};

/** Sets of scopes. A credential needs all scopes of one set. An empty set would admit everybody, so there is none. */
export type ScopeSets = readonly (readonly [Scope, ...Scope[]])[];

/** One scope, or sets of scopes of which one is required. */
export type RequiredScopes = Scope | ScopeSets;

/** @returns the sets of scopes; none of what requires no scope, such as `any` */
export const setsIn = <Other extends string>(required: ScopeSets | Other): ScopeSets =>
  typeof required === 'string' ? [] : required;

/** @returns sets of one scope each: a credential needs one of these scopes */
export const anyOf = (...scopes: readonly Scope[]): ScopeSets => scopes.map((scope) => [scope]);

/** @returns whether the scopes include the required scope, or one of the required sets */
export function holds(scopes: readonly string[], required: RequiredScopes): boolean {
  if (typeof required !== 'string') return required.some((set) => set.every((scope) => holds(scopes, scope)));
  if (scopes.includes(required)) return true;
  if (required.endsWith(':read') && scopes.includes(`${required.slice(0, -'read'.length)}write`)) return true;
  return partOf[required]?.every((scope) => holds(scopes, scope)) ?? false;
}

/** @returns `the scope a:read`, or `the scopes a:read, b:read` */
export const namedScopes = (scopes: readonly Scope[]): string =>
  `the scope${scopes.length > 1 ? 's' : ''} ${scopes.join(', ')}`;

/** @returns the required scopes that the scopes do not include */
export const missingScopes = (scopes: readonly string[], required: readonly Scope[]): Scope[] =>
  required.filter((scope) => !holds(scopes, scope));

/**
 * @returns what the scopes lack to include one of the required sets, such as `the scope a:read or the scope b:read`: only of the sets that lack the fewest scopes
 */
export function namedLack(scopes: readonly string[], required: RequiredScopes): string {
  const sets = typeof required === 'string' ? anyOf(required) : required;
  const lacks = sets.map((set) => missingScopes(scopes, set));
  const fewest = Math.min(...lacks.map(({ length }) => length));
  return lacks
    .filter(({ length }) => length === fewest)
    .map(namedScopes)
    .join(' or ');
}
