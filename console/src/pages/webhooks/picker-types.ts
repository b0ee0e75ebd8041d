/** The types of events to choose from, and what the signed-in credential may choose. */

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

const titled = (family: string) =>
  titles[family] ?? `${family.replace(/^./, (first) => first.toUpperCase())}s`;

/** Each kind of resource, with its types of events. */
export const families: readonly Family[] = [...new Set(eventTypeNames.map(familyOf))].map((family) => ({
  pattern: `${family}.*` as Pattern,
  title: titled(family),
  types: eventTypeNames
    .filter((type) => familyOf(type) === family)
    .map((type) => ({ type, text: eventTypes[type] })),
}));

/** @returns the scopes that the credential lacks to send these events to a receiver */
export const missingFor = (held: readonly string[], patterns: readonly string[]) =>
  missingScopes(held, scopesOfTypes(patterns));
