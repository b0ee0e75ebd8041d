/** The page of a source: its last and its next refresh, its pages, and its actions. */

import type { KnowledgeSource } from '../../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../../request/use-load.ts';
import { href, returnHref } from '../../../router.ts';
import type { PageParams } from '../../../router-path.ts';
import { can, platform } from '../../../session/session.ts';
import { Facts, Loading, useTitle } from '../../../shared/basics.tsx';
import { Id } from '../../../shared/copy.tsx';
import { Credential } from '../../../shared/credential.tsx';
import { AuditLink, WebLink } from '../../../shared/links.tsx';
import { Problem } from '../../../shared/problem.tsx';
import { Name } from '../../../shared/text.tsx';
import { Time, TimeWithDate } from '../../../shared/time.tsx';
import { useRepeat } from '../extraction.ts';
import { SourceActions } from './actions.tsx';
import { SourcePages, usePagesOfSource } from './pages.tsx';
import { intervalOf, isDue, typeOf, whyPaused } from './texts.ts';

/** The pause before a source whose refresh starts in a moment is requested again. */
const startingMs = 2000;

export default function SourcePage({ params: { project = '', source: id = '' } }: { params: PageParams }) {
  const request = useLoad(
    (signal) => platform().projects(project).knowledge.sources.get(id, { signal }),
    [project, id],
  );
  const source = request.data;
  useTitle(source ? source.url.slice(0, 100) : 'Source');
  useRepeat(source !== undefined && isDue(source, Date.now()), source, request.reload, startingMs);
  return (
    <>
      <p class="crumbs">
        <a href={returnHref(`/projects/${project}/knowledge/sources`)}>Sources</a>
      </p>
      <Problem error={request.error} onRepeat={request.reload} />
      {source && (
        <SourceDetails project={project} source={source} set={request.set} reload={request.reload} />
      )}
      {!source && request.error === undefined && <Loading />}
    </>
  );
}

type Props = {
  project: string;
  source: KnowledgeSource;
  set: (source: KnowledgeSource) => void;
  reload: () => void;
};

function SourceDetails({ project, source, set, reload }: Props) {
  const pages = usePagesOfSource(project, source.id);
  return (
    <>
      <SourceActions
        project={project}
        source={source}
        onChanged={set}
        onRefreshed={() => {
          reload();
          pages.reload();
        }}
      />
      {source.paused && <p class="notice panel">The source is not refreshed. {whyPaused(source)}</p>}
      {source.health.reason && !source.lastRefresh?.error && (
        <p class="notice panel">
          <Name value={source.health.reason.message} />
        </p>
      )}
      <LastRefresh project={project} source={source} />
      <SourceFacts project={project} source={source} />
      {can('audit:read') && (
        <p>
          <AuditLink id={source.id} />
        </p>
      )}
      <SourcePages project={project} list={pages} />
    </>
  );
}

function SourceFacts({ project, source }: { project: string; source: KnowledgeSource }) {
  const { type, include, exclude, tags, nextRefreshAt, paused } = source;
  const isOnePage = type === 'url';
  const listOfNames = (values: readonly string[], none: string) =>
    values.length === 0 ? (
      none
    ) : (
      <ul class="plain">
        {values.map((value) => (
          <li key={value}>
            <Name value={value} />
          </li>
        ))}
      </ul>
    );
  return (
    <Facts
      facts={[
        ['URL', <WebLink key="url" url={source.url} />],
        ['Type', typeOf(source)],
        ['Refresh', intervalOf(source.refresh)],
        ['Next refresh', paused ? 'not while it is paused' : <Next key="next" at={nextRefreshAt} />],
        ...(isOnePage
          ? []
          : ([
              ['Only these addresses', listOfNames(include, 'all pages of the host')],
              ['Without these addresses', listOfNames(exclude, 'none')],
              ['Pages at most', source.maxPages.toLocaleString('en')],
            ] as const)),
        ...(type === 'site' ? ([['Links away at most', `${source.maxDepth}`]] as const) : []),
        ['Re-index after changes', source.reindex ? 'yes' : 'no'],
        ['Tags', tags.length === 0 ? 'none' : <Name key="tags" value={tags.join(', ')} />],
        [
          'Documents',
          <a key="documents" href={href(`/projects/${project}/knowledge`, { source: source.id })}>
            Its documents
          </a>,
        ],
        [
          'Created',
          <>
            <Time at={source.createdAt} /> by <Credential id={source.createdBy} />
          </>,
        ],
        ['Refreshed on behalf of', <Credential key="by" id={source.setBy} />],
        ['Source', <Id key="id" value={source.id} />],
      ]}
    />
  );
}

const Next = ({ at }: { at: string | null }) =>
  at === null ? <>only by request</> : <TimeWithDate at={at} />;

/** The counts of the last refresh. */
function LastRefresh({ project, source: { lastRefresh } }: { project: string; source: KnowledgeSource }) {
  if (!lastRefresh) return null;
  const { status, error, finishedAt, jobId, isLimited, ...counts } = lastRefresh;
  const facts = [
    ['Pages', counts.pages],
    ['New documents', counts.created],
    ['Changed documents', counts.updated],
    ['Removed documents', counts.removed],
    ['Unchanged pages', counts.unchanged],
    ['Same as another page', counts.duplicates],
    ['Moved pages', counts.moved],
    ['Pages with noindex', counts.noindex ?? 0],
    ['Failed pages', counts.failedPages],
    ['Requests', counts.requests],
  ] as const;
  return (
    <section class="card panel" aria-label="Last refresh">
      <div class="head">
        <h2>
          Last refresh {status === 'succeeded' ? '' : `${status} `}
          <Time at={finishedAt} />
        </h2>
        <a href={href(`/projects/${project}/jobs/${jobId}`)}>Open the job</a>
      </div>
      {error && (
        <p class="bad">
          <Name value={error.message} /> <code>{error.code}</code>
        </p>
      )}
      {isLimited && (
        <p class="quiet">
          The refresh may have missed pages: there are more pages than it may request, a page has too many
          links, a sitemap could not be read, or the source is a feed, which has only its newest pages.
        </p>
      )}
      <Facts facts={facts.map(([name, count]) => [name, count.toLocaleString('en')] as const)} />
    </section>
  );
}
