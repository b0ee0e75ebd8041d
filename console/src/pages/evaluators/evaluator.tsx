/** An evaluator: its content, its results, or its versions. */

import type { Evaluator } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { href, query, returnHref } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { Badge, Head, Loading, useTitle } from '../../shared/basics.tsx';
import { Id } from '../../shared/copy.tsx';
import { Credential } from '../../shared/credential.tsx';
import { AuditLink } from '../../shared/links.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name, Values } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { avatarName, useAvatars } from '../conversations/names.tsx';
import { draftOf } from './draft.ts';
import { EditEvaluator, NewEvaluator } from './edit.tsx';
import { RunPanel, StartRun, useRunDialog } from './evaluation-run.tsx';
import { FixedFields } from './form.tsx';
import { Results } from './results.tsx';
import { stateOf, whyPaused } from './texts.ts';
import { Versions } from './versions.tsx';

export default function EvaluatorPage({ params: { project = '', evaluator = '' } }: { params: PageParams }) {
  return (
    <>
      <p class="crumbs">
        <a href={returnHref(`/projects/${project}/evaluators`)}>Evaluators</a>
      </p>
      {evaluator === 'new' ? (
        <NewEvaluator project={project} />
      ) : (
        <ExistingEvaluator project={project} id={evaluator} />
      )}
    </>
  );
}

const views = { content: 'Content', results: 'Results', versions: 'Versions' } as const;
type View = keyof typeof views;

function ExistingEvaluator({ project, id }: { project: string; id: string }) {
  const request = useLoad(
    (signal) => platform().projects(project).evaluators.get(id, { signal }),
    [project, id],
  );
  const { data: evaluator, error, reload } = request;
  useTitle(evaluator?.name ?? 'Evaluator');
  if (!evaluator) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const viewName = query.value.get('view') ?? '';
  const view: View = Object.hasOwn(views, viewName) ? (viewName as View) : 'content';
  const base = `/projects/${project}/evaluators/${id}`;
  return (
    <>
      <Actions project={project} evaluator={evaluator} onChanged={request.set} />
      <p class="quiet">
        Version {evaluator.version}, changed <Time at={evaluator.updatedAt} />
        {evaluator.kind !== 'external' && (
          <>
            {' '}
            · runs on behalf of <Credential id={evaluator.setBy} />
          </>
        )}
        {can('audit:read') && ' · '}
        <AuditLink id={id} />
      </p>
      <Note evaluator={evaluator} />
      <RunPanel project={project} jobId={query.value.get('run') ?? undefined} />
      <nav class="tabs" aria-label="Views">
        {Object.entries(views).map(([name, title]) => (
          <a
            key={name}
            href={href(base, { view: name === 'content' ? undefined : name, run: query.value.get('run') })}
            aria-current={name === view ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {view === 'content' &&
        (mayChange('conversations:write') ? (
          <EditEvaluator key={id} project={project} evaluator={evaluator} onStored={request.set} />
        ) : (
          <ReadOnlyEvaluator project={project} evaluator={evaluator} />
        ))}
      {view === 'results' && <Results project={project} evaluator={evaluator} />}
      {view === 'versions' && <Versions project={project} evaluator={evaluator} />}
    </>
  );
}

/** Says why the evaluator scores nothing by itself. */
function Note({ evaluator }: { evaluator: Evaluator }) {
  if (evaluator.status === 'archived')
    return <p class="notice panel">It is archived: it scores no conversations. Its scores stay.</p>;
  if (evaluator.paused) return <p class="notice panel">It is paused. {whyPaused(evaluator)}</p>;
  return null;
}

type ActionsProps = { project: string; evaluator: Evaluator; onChanged: (evaluator: Evaluator) => void };

function Actions({ project, evaluator, onChanged }: ActionsProps) {
  const { id, name, kind, status, paused } = evaluator;
  const run = useRunDialog();
  const update = useAction((body: { paused: boolean } | { status: Evaluator['status'] }) =>
    platform().projects(project).evaluators.update(id, body),
  );
  const finish = (changed: Evaluator | undefined) => changed && onChanged(changed);
  const isActive = status === 'active';
  const setPaused = async () => finish(await update.run({ paused: !paused }));
  const setStatus = async () => finish(await update.run({ status: isActive ? 'archived' : 'active' }));
  const mayWrite = mayChange('conversations:write');
  const mayPause = mayWrite && isActive && kind !== 'external';
  const mayRun = mayPause && !paused;
  const pauseLabel = paused ? 'Resume' : 'Pause';
  const statusLabel = isActive ? 'Archive' : 'Activate';
  useCommands([
    ...(mayRun ? [{ label: 'Evaluate conversations', run: run.open }] : []),
    ...(mayPause ? [{ label: `${pauseLabel} this evaluator`, run: () => void setPaused() }] : []),
    ...(mayWrite ? [{ label: `${statusLabel} this evaluator`, run: () => void setStatus() }] : []),
  ]);
  return (
    <>
      <Head title={<Name value={name} />}>
        <Badge {...stateOf(evaluator)} />
        <Id value={id} />
        {mayRun && (
          <button type="button" class="primary" onClick={run.open}>
            Evaluate conversations
          </button>
        )}
        {mayPause && (
          <button type="button" disabled={update.isPending} onClick={setPaused}>
            {pauseLabel}
          </button>
        )}
        {mayWrite && (
          <button type="button" disabled={update.isPending} onClick={setStatus}>
            {statusLabel}
          </button>
        )}
      </Head>
      <Problem error={update.error} onRepeat={async () => finish(await update.repeat())} />
      {run.isOpen && <StartRun project={project} evaluators={[evaluator]} onClose={run.close} />}
    </>
  );
}

/** An evaluator as text, for somebody who may not change it. */
export function ReadOnlyEvaluator({ project, evaluator }: { project: string; evaluator: Evaluator }) {
  useAvatars(project);
  const draft = draftOf(evaluator);
  const { avatarId, deploymentId, channel, tag } = draft;
  const scope = [
    ['Only of the avatar', avatarName(avatarId) ?? avatarId],
    ['Only of the deployment', deploymentId],
    ['Only of the channel', channel],
    ['Only with the tag', tag],
  ] as const;
  return (
    <>
      <FixedFields evaluator={evaluator} />
      <Values
        values={[
          ['Description', draft.description],
          ...(evaluator.rule ? [['Rule (JSON)', draft.rule] as const] : []),
          ...(evaluator.model
            ? ([
                ['Model', draft.modelId],
                ['Question', draft.prompt],
                ['Temperature', draft.temperature],
              ] as const)
            : []),
          ...scope.filter(([, text]) => text !== ''),
        ]}
      />
    </>
  );
}
