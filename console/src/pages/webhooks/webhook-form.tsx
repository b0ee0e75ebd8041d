/** The fields of a new or changed webhook. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  Webhook,
  WebhookCreateRequest,
  WebhookUpdateRequest,
} from '../../../../clients/typescript/src/index.ts';
import { can } from '../../session/session.ts';
import { Field } from '../../shared/dialog.tsx';
import { FormEnd } from '../../shared/form.tsx';
import { ProjectPicker } from '../../shared/project-picker.tsx';
import type { Pattern } from './event-picker.tsx';
import { EventPicker } from './event-picker.tsx';

export type WebhookDraft = {
  url: string;
  description: string;
  eventTypes: readonly Pattern[];
  projectIds: readonly string[] | null;
  hasMessages: boolean;
};

export const emptyDraft: WebhookDraft = {
  url: '',
  description: '',
  eventTypes: [],
  projectIds: null,
  hasMessages: false,
};

export const draftOf = (webhook: Webhook): WebhookDraft => ({
  url: webhook.url,
  description: webhook.description ?? '',
  eventTypes: webhook.eventTypes,
  projectIds: webhook.projectIds,
  hasMessages: webhook.include.includes('messages'),
});

export const creation = (draft: WebhookDraft): WebhookCreateRequest => ({
  url: draft.url,
  eventTypes: [...draft.eventTypes],
  ...(draft.projectIds && { projectIds: [...draft.projectIds] }),
  ...(draft.hasMessages && { include: ['messages'] }),
  ...(draft.description && { description: draft.description }),
});

/** @returns only the fields that change; undefined if no field changes */
export function change(webhook: Webhook, draft: WebhookDraft): WebhookUpdateRequest | undefined {
  const before = draftOf(webhook);
  const isSame = (name: keyof WebhookDraft) => JSON.stringify(before[name]) === JSON.stringify(draft[name]);
  const request: WebhookUpdateRequest = {
    ...(!isSame('url') && { url: draft.url }),
    ...(!isSame('description') && { description: draft.description || null }),
    ...(!isSame('eventTypes') && { eventTypes: [...draft.eventTypes] }),
    ...(!isSame('projectIds') && { projectIds: draft.projectIds && [...draft.projectIds] }),
    ...(!isSame('hasMessages') && { include: draft.hasMessages ? ['messages'] : [] }),
  };
  return Object.keys(request).length > 0 ? request : undefined;
}

const sendsConversations = (eventTypes: readonly Pattern[]) =>
  eventTypes.some((one) => ['*', 'conversation.*', 'conversation.ended'].includes(one));

type Props = {
  draft: WebhookDraft;
  isPending: boolean;
  action: string;
  onSubmit: (draft: WebhookDraft) => void;
  onClose: () => void;
  /** The element that shows the error of the last attempt. */
  children: ComponentChildren;
};

export function WebhookForm({ isPending, action, onSubmit, onClose, children, ...rest }: Props) {
  const [draft, setDraft] = useState(rest.draft);
  const set = (changes: Partial<WebhookDraft>) => setDraft({ ...draft, ...changes });
  const isComplete =
    draft.eventTypes.length > 0 && (draft.projectIds === null || draft.projectIds.length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onSubmit(draft);
      }}
    >
      <Field label="URL" hint="An https:// address that the internet can reach.">
        {(id) => (
          <input
            id={id}
            type="url"
            required
            maxLength={2048}
            autocomplete="off"
            value={draft.url}
            onInput={(event) => set({ url: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Description" hint="What the receiver does with the events.">
        {(id) => (
          <input
            id={id}
            maxLength={500}
            autocomplete="off"
            value={draft.description}
            onInput={(event) => set({ description: event.currentTarget.value })}
          />
        )}
      </Field>
      <EventPicker value={draft.eventTypes} onChange={(eventTypes) => set({ eventTypes })} />
      {can('conversations:read') && (sendsConversations(draft.eventTypes) || draft.hasMessages) && (
        <label class="check">
          <input
            type="checkbox"
            checked={draft.hasMessages}
            onChange={(event) => set({ hasMessages: event.currentTarget.checked })}
          />
          <span>
            Send the messages of a conversation when it ends
            <small class="quiet"> They may contain personal data.</small>
          </span>
        </label>
      )}
      <ProjectPicker
        label="Events of these projects"
        value={draft.projectIds}
        onChange={(projectIds) => set({ projectIds })}
      />
      {children}
      <FormEnd action={action} isPending={isPending} isComplete={isComplete} onClose={onClose} />
    </form>
  );
}
