/** The content of a document. The page shows markup as text, and loads a long content part by part, as somebody asks for it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { DocumentContent } from '../../../../clients/typescript/src/index.ts';
import { query } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { sizeOf } from '../../shared/amounts.ts';
import { Loading } from '../../shared/basics.tsx';
import { CopyButton } from '../../shared/copy.tsx';
import { Problem } from '../../shared/problem.tsx';

/** The page first shows so many characters of a longer content. */
const previewLength = 20_000;
/** A form feed ends a page. */
const pageEnd = '\f';

type Props = { project: string; document: string };
type State = {
  text: string;
  next: string | null | undefined;
  bytes: number;
  isLoading: boolean;
  error?: unknown;
};

/** @returns the content that was loaded so far, and functions that load the next part, or load it again */
function useContent({
  project,
  document,
}: Props): State & { loadMore: () => Promise<void>; restart: () => Promise<void> } {
  const [state, setState] = useState<State>({ text: '', next: undefined, bytes: 0, isLoading: false });
  const controller = useRef<AbortController>(undefined);
  const read = async (start: Pick<State, 'text' | 'next'>) => {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    setState((current) => ({ ...current, ...start, isLoading: true, error: undefined }));
    try {
      const cursor = start.next ? { cursor: start.next } : {};
      const { documents } = platform().projects(project).knowledge;
      const response: DocumentContent = await documents.content(document, cursor, { signal });
      if (signal.aborted) return;
      setState({
        text: start.text + response.content,
        next: response.nextCursor,
        bytes: response.bytes,
        isLoading: false,
      });
    } catch (error) {
      if (!signal.aborted) setState((current) => ({ ...current, isLoading: false, error }));
    }
  };
  const restart = () => read({ text: '', next: undefined });
  useEffect(() => {
    void restart();
    return () => controller.current?.abort();
  }, [project, document]);
  return { ...state, restart, loadMore: () => read(state) };
}

export function Content(props: Props) {
  const { text, next, bytes, isLoading, error, loadMore, restart } = useContent(props);
  const [isWhole, setIsWhole] = useState(false);
  const targetPage = Number(query.value.get('textPage')) || undefined;
  const pages = text.split(pageEnd);
  // A link to a page reads on until the page is there.
  const isTargetMissing = targetPage !== undefined && pages.length <= targetPage && typeof next === 'string';
  useEffect(() => {
    if (isTargetMissing && !isLoading && error === undefined) void loadMore();
  }, [isTargetMissing, isLoading]);
  const isCut = !isWhole && targetPage === undefined && text.length > previewLength;
  const visibleText = isCut ? `${text.slice(0, previewLength)}…` : text;
  const hasMore = isCut || typeof next === 'string';
  const showMore = () => {
    setIsWhole(true);
    if (!isCut) void loadMore();
  };
  return (
    <section aria-label="Content">
      <div class="head">
        <h2>Content</h2>
        {text !== '' && (
          <CopyButton text={text} label={next === null ? 'Copy the content' : 'Copy what was read'} />
        )}
      </div>
      {visibleText !== '' && (
        <Pages text={visibleText} targetPage={isTargetMissing ? undefined : targetPage} />
      )}
      <Problem error={error} onRepeat={() => void restart()} />
      {hasMore && error === undefined && (
        <p class="more">
          <button type="button" aria-disabled={isLoading} onClick={() => !isLoading && showMore()}>
            Show more
          </button>
          <span class="quiet">
            {(isCut ? previewLength : text.length).toLocaleString('en')} characters shown, {sizeOf(bytes)} in
            all
          </span>
        </p>
      )}
      {isLoading && <Loading what={text === '' ? 'Loading' : 'Loading the next part'} />}
    </section>
  );
}

/** @param targetPage the page to scroll to */
function Pages({ text, targetPage }: { text: string; targetPage: number | undefined }) {
  const target = useRef<HTMLHeadingElement>(null);
  const pages = text.split(pageEnd);
  // The last page ends with a form feed, too.
  if (pages.length > 1 && pages.at(-1)?.trim() === '') pages.pop();
  const hasPages = text.includes(pageEnd);
  const isTargetLoaded = hasPages && targetPage !== undefined && targetPage <= pages.length;
  useEffect(() => {
    if (!isTargetLoaded) return;
    target.current?.scrollIntoView();
    target.current?.focus();
  }, [isTargetLoaded, targetPage]);
  return (
    <>
      {pages.map((page, at) => (
        // Pages are only added at the end.
        <div class="text-page" key={at}>
          {hasPages && (
            <h3 tabIndex={-1} ref={at + 1 === targetPage ? target : null}>
              Page {at + 1}
            </h3>
          )}
          <pre class="content foreign" dir="auto" tabIndex={0}>
            {hasPages ? page.trim() : page}
          </pre>
        </div>
      ))}
    </>
  );
}
