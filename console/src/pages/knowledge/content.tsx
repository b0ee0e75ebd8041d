/** The content of a document, as it was sent: markup is shown as text. */

import { useState } from 'preact/hooks';
import { Loading } from '../../parts/basics.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';

/** A longer content is shown in part at first. */
const maxShown = 20_000;

export function Content({ project, document }: { project: string; document: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const { data, error, isLoading, reload } = useLoad(
    (signal) => platform().projects(project).knowledge.documents.content(document, {}, { signal }),
    [project, document],
  );
  const isLong = (data?.content.length ?? 0) > maxShown;
  const shown = isLong && !isWhole ? `${data?.content.slice(0, maxShown)}…` : data?.content;
  return (
    <section aria-label="Content">
      <div class="head">
        <h2>Content</h2>
        {data && <CopyButton text={data.content} label="Copy the content" />}
      </div>
      <Problem error={error} onRepeat={reload} />
      {isLoading && !data && <Loading />}
      {shown !== undefined && (
        <pre class="content foreign" dir="auto" tabIndex={0}>
          {shown}
        </pre>
      )}
      {isLong && (
        <button type="button" class="link" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${data?.content.length.toLocaleString('en')} characters`}
        </button>
      )}
    </section>
  );
}
