/** The evaluators of a project: the ways in which its conversations are scored. */

import type { Evaluator } from '../../../../clients/typescript/src/index.ts';
import { useCommands } from '../../palette-commands.ts';
import { usePages } from '../../request/use-pages.ts';
import { href, navigate, query } from '../../router.ts';
import type { PageParams } from '../../router-path.ts';
import { mayChange, platform } from '../../session/session.ts';
import { Badge, Empty, Head } from '../../shared/basics.tsx';
import { List } from '../../shared/list.tsx';
import { Filters, filterChoice, SelectFilter } from '../../shared/query-filters.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { RunPanel, StartRun, useRunDialog } from './evaluation-run.tsx';
import { kinds, outputText, stateOf } from './texts.ts';

const statuses = ['active', 'archived'] as const;
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

export default function Evaluators({ params: { project = '' } }: { params: PageParams }) {
  const filters = { status: filterChoice('status', statuses), kind: filterChoice('kind', kindNames) };
  const list = usePages<Evaluator>(
    'page',
    (signal) =>
      platform()
        .projects(project)
        .evaluators.list({ ...filters, limit: 100 }, { signal }),
    [JSON.stringify(filters)],
  );
  const run = useRunDialog();
  const mayWrite = mayChange('conversations:write');
  const newEvaluator = `/projects/${project}/evaluators/new`;
  const evaluators = list.pages.flat();
  const runnableEvaluators = evaluators.filter(
    ({ kind, status, paused }) => kind !== 'external' && status === 'active' && !paused,
  );
  const mayRun = mayWrite && runnableEvaluators.length > 0;
  useCommands([
    ...(mayWrite ? [{ label: 'Create an evaluator', run: () => navigate(newEvaluator) }] : []),
    ...(mayRun ? [{ label: 'Evaluate conversations', run: run.open }] : []),
  ]);
  return (
    <>
      <Head title="Evaluators">
        {mayRun && (
          <button type="button" onClick={run.open}>
            Evaluate conversations
          </button>
        )}
        {mayWrite && (
          <a class="button primary" href={href(newEvaluator)}>
            New evaluator
          </a>
        )}
      </Head>
      <RunPanel project={project} jobId={query.value.get('run') ?? undefined} />
      {(evaluators.length > 0 || filters.status || filters.kind) && (
        <Filters names={['status', 'kind']}>
          <SelectFilter
            name="status"
            label="Status"
            anyLabel="Any"
            options={statuses.map((one) => [one, one] as const)}
          />
          <SelectFilter
            name="kind"
            label="Scores come from"
            anyLabel="Anything"
            options={kindNames.map((one) => [one, kinds[one]] as const)}
          />
        </Filters>
      )}
      <List
        label="Evaluators"
        list={list}
        keyOf={({ id }) => id}
        row={(evaluator) => <Row project={project} evaluator={evaluator} />}
        empty={
          filters.status || filters.kind ? (
            <Empty title="No evaluator matches the filters" />
          ) : (
            <Empty title="There is no evaluator yet">
              An evaluator scores conversations: by a rule, by a question to a model, or with values that your
              program sends. Lists, filters and statistics then show whether an avatar is good.
            </Empty>
          )
        }
      />
      {run.isOpen && <StartRun project={project} evaluators={runnableEvaluators} onClose={run.close} />}
    </>
  );
}

function Row({ project, evaluator }: { project: string; evaluator: Evaluator }) {
  const { id, name, kind, output, description, version, updatedAt } = evaluator;
  return (
    <div class="row-grid evaluator-row">
      <span class="main">
        <a href={href(`/projects/${project}/evaluators/${id}`)}>
          <Name value={name} />
        </a>{' '}
        {description && (
          <span class="quiet">
            <Name value={description} />
          </span>
        )}
      </span>
      <span class="state">
        <Badge {...stateOf(evaluator)} />
      </span>
      <span class="quiet output">
        {kind}: <Name value={outputText(output)} />
      </span>
      <span class="quiet when">
        version {version}, <Time at={updatedAt} />
      </span>
    </div>
  );
}
