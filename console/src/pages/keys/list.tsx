/** The API keys of the organisation, and the dialog that creates one. */

import { useState } from 'preact/hooks';
import type { ApiKey, ApiKeyWithSecret } from '../../../../clients/typescript/src/index.ts';
import { dayMs } from '../../../../lib/base/time.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { usePages } from '../../request/use-pages.ts';
import { navigate } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Empty, Head } from '../../shared/basics.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { detailsOf } from '../../shared/form.tsx';
import { List } from '../../shared/list.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Filters, filterChoice, filterValue, SelectFilter, TextFilter } from '../../shared/query-filters.tsx';
import { SecretDialog } from '../../shared/secret.tsx';
import { Identities } from '../identities/list.tsx';
import { creation, emptyDraft, type KeyDraft } from './draft.ts';
import { KeyForm } from './key-form.tsx';
import { KeyRow } from './row.tsx';

const statuses = ['active', 'revoked', 'expired'] as const;
const filterNames = ['status', 'expires', 'createdBy'] as const;

/** The days of a filter. The address has them in place of a time, so a bookmark always shows the keys that expire soon. */
const filterDays = { '7d': 7, '30d': 30 } as const;

export default function Keys() {
  const status = filterChoice('status', statuses);
  const expires = filterChoice('expires', ['7d', '30d'] as const);
  const createdBy = filterValue('createdBy');
  const [isCreating, setIsCreating] = useState(false);
  const list = usePages<ApiKey>(
    'page',
    (signal) => {
      const expiresBefore = expires && new Date(Date.now() + filterDays[expires] * dayMs);
      // Expired and revoked keys do not expire soon.
      const statusFilter = expires ? (status ?? 'active') : status;
      return platform().apiKeys.list(
        { limit: 100, status: statusFilter, createdBy, expiresBefore },
        { signal },
      );
    },
    [status, expires, createdBy],
  );
  const mayCreate = can('api-keys:write');
  useCommands(mayCreate ? [{ label: 'Create an API key', run: () => setIsCreating(true) }] : []);
  const isFiltered = status || expires || createdBy;
  return (
    <>
      <Head title="API keys">
        {mayCreate && (
          <button type="button" class="primary" onClick={() => setIsCreating(true)}>
            New key
          </button>
        )}
      </Head>
      <Filters names={filterNames}>
        <SelectFilter
          name="status"
          label="Status"
          anyLabel="Any"
          options={statuses.map((one) => [one, one] as const)}
        />
        <SelectFilter
          name="expires"
          label="Expires"
          anyLabel="At any time"
          options={[
            ['7d', 'within 7 days'],
            ['30d', 'within 30 days'],
          ]}
        />
        <TextFilter name="createdBy" label="Created by" placeholder="key_…" />
      </Filters>
      <List
        label="API keys"
        list={list}
        keyOf={({ id }) => id}
        row={(key) => <KeyRow value={key} />}
        empty={
          isFiltered ? (
            <Empty title="No key matches the filters" />
          ) : (
            <Empty
              title="There is no key that you may see"
              command="platform keys create --name ci --scope projects:read --expires-in 30d"
            >
              A key gives a program access. Give each program a key of its own, with the scopes that it needs.
            </Empty>
          )
        }
      />
      <Identities />
      {isCreating && <CreateKey onClose={() => setIsCreating(false)} />}
    </>
  );
}

/** Creates a key, and shows its secret once. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState<ApiKeyWithSecret | undefined>(undefined);
  const create = useAction((draft: KeyDraft, options) => platform().apiKeys.create(creation(draft), options));
  if (key)
    return (
      <SecretDialog
        title="The key is created"
        secret={key.secret}
        onClose={() => navigate(`/keys/${key.id}`)}
      />
    );
  return (
    <Dialog title="New API key" onClose={onClose} isWide>
      <KeyForm
        draft={emptyDraft}
        isChange={false}
        action="Create"
        isPending={create.isPending}
        onSubmit={async (draft) => setKey(await create.run(draft))}
        onClose={onClose}
        details={detailsOf(create.error)}
      >
        <Problem error={create.error} onRepeat={async () => setKey(await create.repeat())} />
      </KeyForm>
    </Dialog>
  );
}
