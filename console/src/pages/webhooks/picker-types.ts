/** The types of events that a user can choose, and the scopes that they need. */

import type { WebhookCreateRequest } from '../../../../clients/typescript/src/index.ts';
import { missingScopes } from '../../../../lib/base/scopes.ts';
import { scopesOfTypes } from '../../../../lib/events/scopes.ts';
import { type EventType, eventTypeNames, eventTypes, familyOf } from '../../../../lib/events/types.ts';

export type Pattern = WebhookCreateRequest['eventTypes'][number];

export type Family = {
  pattern: Pattern;
  title: string;
  types: readonly { type: EventType; text: string }[];
};

const titles: Readonly<Record<string, string>> = {
  api_key: 'API keys',
  document: 'Knowledge documents',
};

const titleOf = (family: string) =>
  titles[family] ?? `${family.replace(/^./, (first) => first.toUpperCase())}s`;

/** Each kind of resource, with its types of events. */
export const families: readonly Family[] = [...new Set(eventTypeNames.map(familyOf))].map((family) => ({
  pattern: `${family}.*` as Pattern,
  title: titleOf(family),
  types: eventTypeNames
    .filter((type) => familyOf(type) === family)
    .map((type) => ({ type, text: eventTypes[type] })),
}));

/** @returns the scopes that the credential lacks to send these events to a receiver */
export const missingFor = (scopes: readonly string[], patterns: readonly string[]) =>
  missingScopes(scopes, scopesOfTypes(patterns));
