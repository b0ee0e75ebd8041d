/** Creates an avatar, or changes one. The ETag of the version goes with each save, so nobody overwrites a change unseen. */

import { useEffect, useRef, useState } from 'preact/hooks';
import {
  ApiError,
  type Avatar,
  type AvatarCreateRequest,
  type AvatarUpdateRequest,
} from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { mayChange, platform } from '../../session/session.ts';
import { announce, Head, useTitle } from '../../shared/basics.tsx';
import { Changes } from '../../shared/diff.tsx';
import { changesBetween, isEqual } from '../../shared/difference.ts';
import { Problem } from '../../shared/problem.tsx';
import { Conflict } from './conflict.tsx';
import { contentOf, type Draft, emptyDraft, etagOf, labelOf, updateBody } from './content.ts';
import { Editor } from './form.tsx';
import { forgetUnsaved, keepUnsaved, unsavedOf } from './unsaved.ts';

type Outcome = { isSaved: boolean; avatar: Avatar };

/** @returns the stored avatar, which is not the draft if somebody else has stored another version in the meantime */
async function save(project: string, base: Avatar, draft: Draft): Promise<Outcome> {
  const { avatars } = platform().projects(project);
  const body = updateBody(contentOf(base), draft) as AvatarUpdateRequest;
  try {
    return { isSaved: true, avatar: await avatars.update(base.id, body, { ifMatch: etagOf(base) }) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    const storedAvatar = await avatars.get(base.id);
    // The first attempt may have taken effect, and its response may be lost.
    return { isSaved: isEqual(contentOf(storedAvatar), draft), avatar: storedAvatar };
  }
}

/** A version that only archives the avatar is no conflict. */
const hasSameContent = (a: Avatar, b: Avatar): boolean => isEqual(contentOf(a), contentOf(b));

type Props = { project: string; avatar: Avatar; onStored: (avatar: Avatar) => void };

export function EditAvatar({ project, avatar, onStored }: Props) {
  const unsaved = unsavedOf(avatar.id);
  const [base, setBase] = useState(unsaved && !hasSameContent(unsaved.base, avatar) ? unsaved.base : avatar);
  const [draft, setDraft] = useState<Draft>(unsaved?.draft ?? contentOf(avatar));
  const [theirs, setTheirs] = useState<Avatar | undefined>(undefined);
  const [isValid, setIsValid] = useState(true);
  const changes = changesBetween(contentOf(base), draft);
  const isChanged = changes.length > 0;

  const action = useAction((input: { base: Avatar; draft: Draft }) => save(project, input.base, input.draft));
  const adopt = (version: Avatar, nextDraft: Draft) => {
    setBase(version);
    setDraft(nextDraft);
    setTheirs(undefined);
  };
  const finish = (outcome: Outcome | undefined) => {
    if (!outcome) return;
    if (!outcome.isSaved) return setTheirs(outcome.avatar);
    adopt(outcome.avatar, contentOf(outcome.avatar));
    onStored(outcome.avatar);
    announce(`Saved as version ${outcome.avatar.version}.`);
  };
  const run = async (version: Avatar, nextDraft: Draft) => {
    setDraft(nextDraft);
    setBase(version);
    setTheirs(undefined);
    finish(await action.run({ base: version, draft: nextDraft }));
  };

  // Another page of the console must not lose the changes.
  useEffect(() => {
    if (isChanged) keepUnsaved(avatar.id, { base, draft });
    else forgetUnsaved(avatar.id);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    if (isChanged) window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isChanged, base, draft]);
  const newerVersion = useNewerVersion(project, base, (storedAvatar) => {
    if (isChanged) return;
    adopt(storedAvatar, contentOf(storedAvatar));
    onStored(storedAvatar);
  });
  const saveRef = useRef(() => {});
  saveRef.current = () => void run(base, draft);
  useCommands(isChanged ? [{ label: 'Save the avatar', run: () => saveRef.current() }] : []);

  if (theirs)
    return (
      <Conflict
        base={base}
        mine={draft}
        theirs={theirs}
        isPending={action.isPending}
        onSave={(mergedDraft) => run(theirs, mergedDraft)}
        onEdit={(mergedDraft) => {
          adopt(theirs, mergedDraft);
          onStored(theirs);
        }}
      />
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && isValid) void run(base, draft);
      }}
    >
      {newerVersion && isChanged && (
        <p class="notice row" role="status">
          Somebody else saved version {newerVersion.version} while you were editing version {base.version}.
          <button type="button" class="small" onClick={() => setTheirs(newerVersion)}>
            Compare
          </button>
        </p>
      )}
      <Editor draft={draft} error={action.error} onChange={setDraft} onValid={setIsValid} />
      <Problem error={action.error} onRepeat={async () => finish(await action.repeat())} />
      <div class={`save${isChanged ? ' unsaved' : ''}`}>
        {isChanged && (
          <details>
            <summary>
              {changes.length} unsaved {changes.length === 1 ? 'change' : 'changes'}
            </summary>
            <Changes changes={changes} nameOf={labelOf} />
          </details>
        )}
        <p class="row end">
          {isChanged && (
            <button type="button" onClick={() => setDraft(contentOf(base))}>
              Undo all
            </button>
          )}
          <button type="submit" class="primary" disabled={!isChanged || !isValid || action.isPending}>
            {action.isPending ? 'Saving …' : isChanged ? `Save as version ${base.version + 1}` : 'Saved'}
          </button>
        </p>
      </div>
    </form>
  );
}

/** Looks for a newer version when the tab is shown again. @returns the newer version */
function useNewerVersion(
  project: string,
  base: Avatar,
  onNewer: (avatar: Avatar) => void,
): Avatar | undefined {
  const [newerVersion, setNewer] = useState<Avatar | undefined>(undefined);
  // The callback is new in each rendering, and so is the listener.
  useEffect(() => {
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      const storedAvatar = await platform()
        .projects(project)
        .avatars.get(base.id)
        .catch(() => undefined);
      if (!storedAvatar || storedAvatar.version <= base.version) return;
      setNewer(storedAvatar);
      onNewer(storedAvatar);
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [project, base, onNewer]);
  return newerVersion && newerVersion.version > base.version ? newerVersion : undefined;
}

/** A new avatar, with the form of an existing avatar. */
export function NewAvatar({ project }: { project: string }) {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [isValid, setIsValid] = useState(true);
  useTitle('New avatar');
  const create = useAction((body: Draft, options) =>
    platform()
      .projects(project)
      .avatars.create(body as AvatarCreateRequest, options),
  );
  const finish = (avatar: Avatar | undefined) => {
    if (avatar) navigate(`/projects/${project}/avatars/${avatar.id}`);
  };
  if (!mayChange('avatars:write')) return <p>This credential may not create avatars.</p>;
  return (
    <>
      <Head title="New avatar" />
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (isValid) finish(await create.run(draft));
        }}
      >
        <Editor draft={draft} error={create.error} onChange={setDraft} onValid={setIsValid} />
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
        <p class="row end save">
          <button type="submit" class="primary" disabled={!isValid || create.isPending}>
            {create.isPending ? 'Creating …' : 'Create'}
          </button>
        </p>
      </form>
    </>
  );
}
