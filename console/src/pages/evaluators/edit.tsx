/** A new evaluator, or a change of one. The ETag of the version goes with each change, so nobody's change is overwritten unseen. */

import { useState } from 'preact/hooks';
import {
  ApiError,
  type ErrorDetail,
  type Evaluator,
  type EvaluatorCreateRequest,
  type EvaluatorUpdateRequest,
  VersionMismatchError,
} from '../../../../clients/typescript/src/index.ts';
import { announce } from '../../parts/announce.tsx';
import { Head, useTitle } from '../../parts/basics.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useAction } from '../../request/use-action.ts';
import { navigate } from '../../router.ts';
import { mayChange } from '../../session/project-state.ts';
import { platform } from '../../session/session.ts';
import { createBody, type Draft, draftOf, emptyDraft, etagOf, updateBody } from './draft.ts';
import { EvaluatorForm } from './form.tsx';
import { useEvaluators } from './known.ts';
import { Preview } from './preview.tsx';

/** The draft, and what is wrong with it: what cannot be read, or what the API said about the last attempt. */
function useDraft(first: Draft) {
  const [draft, setDraft] = useState(first);
  const [problems, setProblems] = useState<readonly ErrorDetail[]>([]);
  const [previewed, setPreviewed] = useState<readonly ErrorDetail[]>([]);
  return {
    draft,
    setDraft,
    change: (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes })),
    setProblems,
    setPreviewed,
    details: (error: unknown): ErrorDetail[] => [
      ...problems,
      ...previewed,
      ...(error instanceof ApiError ? error.details : []),
    ],
  };
}

const modelsOf = (evaluators: readonly Evaluator[]): string[] => [
  ...new Set(evaluators.flatMap(({ model }) => model?.modelId ?? [])),
];

export function NewEvaluator({ project }: { project: string }) {
  const form = useDraft(emptyDraft);
  const modelIds = modelsOf(useEvaluators(project));
  useTitle('New evaluator');
  const create = useAction((body: EvaluatorCreateRequest, options) =>
    platform().projects(project).evaluators.create(body, options),
  );
  const finish = (created: Evaluator | undefined) => {
    if (created) navigate(`/projects/${project}/evaluators/${created.id}`);
  };
  if (!mayChange('conversations:write')) return <p>This credential may not create evaluators.</p>;
  return (
    <>
      <Head title="New evaluator" />
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          const found = createBody(form.draft);
          form.setProblems('problems' in found ? found.problems : []);
          form.setPreviewed([]);
          if ('body' in found) finish(await create.run(found.body));
        }}
      >
        <EvaluatorForm
          project={project}
          draft={form.draft}
          stored={undefined}
          details={form.details(create.error)}
          modelIds={modelIds}
          onChange={form.change}
        />
        <Problem error={create.error} onRepeat={async () => finish(await create.repeat())} />
        <p class="row end save">
          <button type="submit" class="primary" disabled={create.isPending}>
            {create.isPending ? 'Creating …' : 'Create'}
          </button>
        </p>
      </form>
      <Preview project={project} draft={form.draft} onDetails={form.setPreviewed} />
    </>
  );
}

type EditProps = { project: string; evaluator: Evaluator; onStored: (evaluator: Evaluator) => void };

export function EditEvaluator({ project, evaluator, onStored }: EditProps) {
  const { evaluators } = platform().projects(project);
  const [base, setBase] = useState(evaluator);
  const form = useDraft(draftOf(evaluator));
  const modelIds = modelsOf(useEvaluators(project));
  const save = useAction((body: EvaluatorUpdateRequest) =>
    evaluators.update(base.id, body, { ifMatch: etagOf(base) }),
  );
  // Pausing it from this page is a version, too, and no conflict.
  if (evaluator.version > base.version && evaluator.setBy === base.setBy && isSameContent(evaluator, base))
    setBase(evaluator);
  const finish = (stored: Evaluator | undefined) => {
    if (!stored) return;
    setBase(stored);
    form.setDraft(draftOf(stored));
    onStored(stored);
    announce(`Saved as version ${stored.version}.`);
  };
  const found = updateBody(base, form.draft);
  const isChanged = 'problems' in found || Object.keys(found.body).length > 0;
  const isConflict = save.error instanceof VersionMismatchError;
  return (
    <>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          form.setProblems('problems' in found ? found.problems : []);
          form.setPreviewed([]);
          if ('body' in found && isChanged) finish(await save.run(found.body));
        }}
      >
        <EvaluatorForm
          project={project}
          draft={form.draft}
          stored={base}
          details={form.details(save.error)}
          modelIds={modelIds}
          onChange={form.change}
        />
        {isConflict ? (
          <Conflict
            project={project}
            id={base.id}
            onLoaded={(theirs) => {
              save.reset();
              setBase(theirs);
              onStored(theirs);
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
        <Preview project={project} draft={form.draft} onDetails={form.setPreviewed} />
      )}
    </>
  );
}

const isSameContent = (a: Evaluator, b: Evaluator): boolean =>
  JSON.stringify(draftOf(a)) === JSON.stringify(draftOf(b));

type ConflictProps = { project: string; id: string; onLoaded: (theirs: Evaluator) => void };

/** Nothing is lost: the form keeps what was typed, and the next save replaces only what differs from the newer version. */
function Conflict({ project, id, onLoaded }: ConflictProps) {
  const load = useAction((_: null) => platform().projects(project).evaluators.get(id));
  return (
    <div class="problem" role="alert">
      <strong>Somebody else has saved it in the meantime</strong>
      <p>
        The form still has what you typed. After a look at the versions, save again: where the newer version
        differs, it gets what the form says.
      </p>
      <Problem error={load.error} />
      <button
        type="button"
        disabled={load.isPending}
        onClick={async () => {
          const theirs = await load.run(null);
          if (theirs) onLoaded(theirs);
        }}
      >
        Continue with the newer version
      </button>
    </div>
  );
}
