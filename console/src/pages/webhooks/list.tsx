/** The webhooks of the organisation, those that need attention first, and the dialog that creates one. */

import { useEffect, useState } from 'preact/hooks';
import type { Webhook, WebhookWithSecret } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { usePages } from '../../request/use-pages.ts';
import { href, navigate } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Badge, Empty, Head } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { List } from '../../shared/list.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Filters, filterChoice, filterValue, SelectFilter, TextFilter } from '../../shared/query-filters.tsx';
import { SecretDialog } from '../../shared/secret.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { stateOf } from './texts.ts';
import { creation, emptyDraft, type WebhookDraft, WebhookForm } from './webhook-form.tsx';

export default function Webhooks() {
  const failing = filterChoice('failing', ['true', 'false'] as const);
  const [isCreating, setIsCreating] = useState(false);
  const mayCreate = can('webhooks:write');
  useCommands(mayCreate ? [{ label: 'Create a webhook', run: () => setIsCreating(true) }] : []);
  return (
    <>
      <Head title="Webhooks">
        {mayCreate && (
          <button type="button" class="primary" onClick={() => setIsCreating(true)}>
            New webhook
          </button>
        )}
      </Head>
      <Filters names={['failing', 'createdBy']}>
        <SelectFilter
          name="failing"
          label="Show"
          anyLabel="All, failing ones first"
          options={[
            ['true', 'Only failing ones'],
            ['false', 'Only the others'],
          ]}
        />
        <TextFilter name="createdBy" label="Created or set by" placeholder="key_…" />
      </Filters>
      <Groups failing={failing} />
      {isCreating && <CreateWebhook onClose={() => setIsCreating(false)} />}
    </>
  );
}

/** @param failing the filter; undefined for both groups */
function Groups({ failing }: { failing: 'true' | 'false' | undefined }) {
  const createdBy = filterValue('createdBy');
  const [hasFailing, setHasFailing] = useState(false);
  const isFiltered = createdBy !== undefined || failing !== undefined;
  const groupProps = { createdBy, isAlone: failing !== undefined, isPart: isFiltered || hasFailing };
  return (
    <>
      {failing !== 'false' && <Group failing="true" {...groupProps} onLoaded={setHasFailing} />}
      {failing !== 'true' && <Group failing="false" {...groupProps} />}
    </>
  );
}

type GroupProps = {
  failing: 'true' | 'false';
  createdBy: string | undefined;
  /** Whether this is the only group on the page. */
  isAlone: boolean;
  /** Whether there may be webhooks outside this group. */
  isPart: boolean;
  /** Gets whether the group has webhooks. */
  onLoaded?: (hasWebhooks: boolean) => void;
};

function Group({ failing, createdBy, isAlone, isPart, onLoaded }: GroupProps) {
  const isFailing = failing === 'true';
  const list = usePages<Webhook>(
    isFailing ? 'failingPage' : 'page',
    (signal) => platform().webhooks.list({ limit: 50, failing, createdBy }, { signal }),
    [failing, createdBy],
  );
  const hasWebhooks = list.pages.some((items) => items.length > 0);
  useEffect(() => onLoaded?.(hasWebhooks), [hasWebhooks]);
  if (isFailing && !hasWebhooks && !isAlone && !list.error) return null;
  return (
    <section>
      <h2>{isFailing ? 'Need attention' : 'Others'}</h2>
      <List
        label={isFailing ? 'Webhooks that need attention' : 'Other webhooks'}
        list={list}
        keyOf={({ id }) => id}
        row={(webhook) => <Row value={webhook} />}
        empty={
          isPart ? (
            <Empty title={isFailing ? 'No webhook fails' : 'No other webhook'} />
          ) : (
            <Empty
              title="There is no webhook here yet"
              command="platform webhooks create --url https://example.com/hook --event-type job.failed"
            >
              A webhook sends events to your server as they happen, such as the end of a conversation.
            </Empty>
          )
        }
      />
    </section>
  );
}

function Row({ value }: { value: Webhook }) {
  const { word, tone } = stateOf(value);
  const { health } = value;
  return (
    <div class="row-grid webhook-row">
      <a class="main" href={href(`/webhooks/${value.id}`)}>
        <Name value={value.description ?? value.url} />
      </a>
      <span class="state">
        <Badge value={word} tone={tone} />
      </span>
      <span class="quiet url">
        <Name value={value.url} />
      </span>
      <span class="quiet when">
        {health.reason ? (
          <Name value={health.reason.message} />
        ) : health.status === 'failing' ? (
          <>
            {health.failures} failed since <Time at={health.failingSince} isExact />
          </>
        ) : (
          `${value.eventTypes.length === 1 ? value.eventTypes[0] : `${value.eventTypes.length} types`}`
        )}
      </span>
      <Id value={value.id} />
    </div>
  );
}

/** Creates a webhook, and shows its secret once. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const [webhook, setWebhook] = useState<WebhookWithSecret | undefined>(undefined);
  const create = useAction((draft: WebhookDraft, options) =>
    platform().webhooks.create(creation(draft), options),
  );
  if (webhook)
    return (
      <SecretDialog
        title="The webhook is created"
        secret={webhook.secret}
        onClose={() => navigate(`/webhooks/${webhook.id}`)}
      >
        <p>The receiver verifies with this secret that requests come from here.</p>
      </SecretDialog>
    );
  return (
    <Dialog title="New webhook" onClose={onClose} isWide>
      <WebhookForm
        draft={emptyDraft}
        action="Create"
        isPending={create.isPending}
        onSubmit={async (draft) => setWebhook(await create.run(draft))}
        onClose={onClose}
      >
        <Problem error={create.error} onRepeat={async () => setWebhook(await create.repeat())} />
      </WebhookForm>
    </Dialog>
  );
}
