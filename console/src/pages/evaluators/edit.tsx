/** A new or changed evaluator. The ETag of the version goes with each change, so nobody's change is overwritten unseen. */

import { useState } from 'preact/hooks';
import {
  ApiError,
  type ErrorDetail,
  type Evaluator,
  type EvaluatorCreateRequest,
  type EvaluatorUpdateRequest,
  VersionMismatchError,
} from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { mayChange, platform } from '../../session/session.ts';
import { announce, Head, useTitle } from '../../shared/basics.tsx';
import { Problem } from '../../shared/problem.tsx';
import { createBody, type Draft, draftOf, emptyDraft, etagOf, updateBody } from './draft.ts';
import { EvaluatorForm } from './form.tsx';
import { Preview } from './preview.tsx';

/** The draft with its problems: texts that cannot be read, and the messages of the API about the last attempt. */
function useDraft(initialDraft: Draft) {
  const [draft, setDraft] = useState(initialDraft);
  const [problems, setProblems] = useState<readonly ErrorDetail[]>([]);
  const [previewDetails, setPreviewDetails] = useState<readonly ErrorDetail[]>([]);
  return {
    draft,
    setDraft,
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    setProblems,
    setPreviewDetails,
    details: (error: unknown): ErrorDetail[] => [
      ...problems,
      ...previewDetails,
      ...(error instanceof ApiError ? error.details : []),
    ],
  };
}

export function NewEvaluator({ project }: { project: string }) {
  const form = useDraft(emptyDraft);
  useTitle('New evaluator');
  const create = useAction((body: EvaluatorCreateRequest, options) =>
    platform().projects(project).evaluators.create(body, options),
  );
  const finish = (evaluator: Evaluator | undefined) => {
    if (evaluator) navigate(`/projects/${project}/evaluators/${evaluator.id}`);
  };
  if (!mayChange('conversations:write')) return <p>This credential may not create evaluators.</p>;
  return (
    <>
      <Head title="New evaluator" />
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const result = createBody(form.draft);
          form.setProblems('problems' in result ? result.problems : []);
          form.setPreviewDetails([]);
          if ('body' in result) finish(await create.run(result.body));
        }}
      >
        <EvaluatorForm
          project={project}
          draft={form.draft}
          evaluator={undefined}
          details={form.details(create.error)}
          onChange={form.change}
        />
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
        <p class="row end save">
          <button type="submit" class="primary" disabled={create.isPending}>
            {create.isPending ? 'Creating …' : 'Create'}
          </button>
        </p>
      </form>
      <Preview project={project} draft={form.draft} onDetails={form.setPreviewDetails} />
    </>
  );
}

type EditProps = { project: string; evaluator: Evaluator; onStored: (evaluator: Evaluator) => void };

export function EditEvaluator({ project, evaluator, onStored }: EditProps) {
  const { evaluators } = platform().projects(project);
  const [base, setBase] = useState(evaluator);
  const form = useDraft(draftOf(evaluator));
  const save = useAction((body: EvaluatorUpdateRequest) =>
    evaluators.update(base.id, body, { ifMatch: etagOf(base) }),
  );
  // A pause from this page makes a version, too, and is no conflict.
  if (evaluator.version > base.version && evaluator.setBy === base.setBy && isSameContent(evaluator, base))
    setBase(evaluator);
  const finish = (version: Evaluator | undefined) => {
    if (!version) return;
    setBase(version);
    form.setDraft(draftOf(version));
    onStored(version);
    announce(`Saved as version ${version.version}.`);
  };
  const result = updateBody(base, form.draft);
  const isChanged = 'problems' in result || Object.keys(result.body).length > 0;
  const isConflict = save.error instanceof VersionMismatchError;
  return (
    <>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          form.setProblems('problems' in result ? result.problems : []);
          form.setPreviewDetails([]);
          if ('body' in result && isChanged) finish(await save.run(result.body));
        }}
      >
        <EvaluatorForm
          project={project}
          draft={form.draft}
          evaluator={base}
          details={form.details(save.error)}
          onChange={form.change}
        />
        {isConflict ? (
          <Conflict
            project={project}
            id={base.id}
            onLoaded={(newerVersion) => {
              save.reset();
              setBase(newerVersion);
              onStored(newerVersion);
            }}
          />
        ) : (
          <Problem error={save.error} onRepeat={async () => finish(await save.repeat())} />
        )}
        <p class="row end save">
          {isChanged && (
            <button
              type="button"
              onClick={() => {
                form.setDraft(draftOf(base));
                form.setProblems([]);
              }}
            >
              Undo all
            </button>
          )}
          <button type="submit" class="primary" disabled={!isChanged || save.isPending}>
            {save.isPending ? 'Saving …' : isChanged ? `Save as version ${base.version + 1}` : 'Saved'}
          </button>
        </p>
      </form>
      {base.kind !== 'external' && (
        <Preview project={project} draft={form.draft} onDetails={form.setPreviewDetails} />
      )}
    </>
  );
}

const isSameContent = (a: Evaluator, b: Evaluator): boolean =>
  JSON.stringify(draftOf(a)) === JSON.stringify(draftOf(b));

type ConflictProps = { project: string; id: string; onLoaded: (newerVersion: Evaluator) => void };

/** Nothing is lost: the form keeps its texts, and the next save replaces only the fields that differ from the newer version. */
function Conflict({ project, id, onLoaded }: ConflictProps) {
  const load = useAction((_: null) => platform().projects(project).evaluators.get(id));
  return (
    <div class="problem" role="alert">
      <strong>Somebody else has saved it in the meantime</strong>
      <p>
        The form still has what you typed. Look at the versions, and save again: each field in which the newer
        version differs gets the text of the form.
      </p>
      <Problem error={load.error} />
      <button
        type="button"
        disabled={load.isPending}
        onClick={async () => {
          const newerVersion = await load.run(null);
          if (newerVersion) onLoaded(newerVersion);
        }}
      >
        Continue with the newer version
      </button>
    </div>
  );
}
