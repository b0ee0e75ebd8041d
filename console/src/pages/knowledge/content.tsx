/** The content of a document: markup is shown as text. A long content is read part by part, as far as somebody wants to see it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { DocumentContent } from '../../../../clients/typescript/src/index.ts';
import { Loading } from '../../parts/basics.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Problem } from '../../parts/problem.tsx';
import { sizeOf } from '../../parts/size.ts';
import { query } from '../../router.ts';
import { platform } from '../../session/session.ts';

/** A longer content is shown in part at first. */
const firstShown = 20_000;
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

/** @returns the parts that were read, and what reads the next one */
function useParts({
  project,
  document,
}: Props): State & { more: () => Promise<void>; restart: () => Promise<void> } {
  const [state, setState] = useState<State>({ text: '', next: undefined, bytes: 0, isLoading: false });
  const controller = useRef<AbortController>(undefined);
  const read = async (before: Pick<State, 'text' | 'next'>) => {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    setState((current) => ({ ...current, ...before, isLoading: true, error: undefined }));
    try {
      const sent = before.next ? { cursor: before.next } : {};
      const { documents } = platform().projects(project).knowledge;
      const part: DocumentContent = await documents.content(document, sent, { signal });
      if (signal.aborted) return;
      setState({
        text: before.text + part.content,
        next: part.nextCursor,
        bytes: part.bytes,
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
  return { ...state, restart, more: () => read(state) };
}

export function Content(props: Props) {
  const { text, next, bytes, isLoading, error, more, restart } = useParts(props);
  const [isWhole, setIsWhole] = useState(false);
  const wanted = Number(query.value.get('textPage')) || undefined;
  const pages = text.split(pageEnd);
  // A link to a page reads on until the page is there.
  const isSought = wanted !== undefined && pages.length <= wanted && typeof next === 'string';
  useEffect(() => {
    if (isSought && !isLoading && error === undefined) void more();
  }, [isSought, isLoading]);
  const isCut = !isWhole && wanted === undefined && text.length > firstShown;
  const shown = isCut ? `${text.slice(0, firstShown)}…` : text;
  const hasMore = isCut || typeof next === 'string';
  const showMore = () => {
    setIsWhole(true);
    if (!isCut) void more();
  };
  return (
    <section aria-label="Content">
      <div class="head">
        <h2>Content</h2>
        {text !== '' && (
          <CopyButton text={text} label={next === null ? 'Copy the content' : 'Copy what was read'} />
        )}
      </div>
      {shown !== '' && <Pages text={shown} wanted={isSought ? undefined : wanted} />}
      <Problem error={error} onRepeat={() => void restart()} />
      {hasMore && error === undefined && (
        <p class="more">
          <button type="button" aria-disabled={isLoading} onClick={() => !isLoading && showMore()}>
            Show more
          </button>
          <span class="quiet">
            {(isCut ? firstShown : text.length).toLocaleString('en')} characters shown, {sizeOf(bytes)} in all
          </span>
        </p>
      )}
      {isLoading && <Loading what={text === '' ? 'Loading' : 'Loading the next part'} />}
    </section>
  );
}

/** @param wanted the page to scroll to */
function Pages({ text, wanted }: { text: string; wanted: number | undefined }) {
  const target = useRef<HTMLHeadingElement>(null);
  const pages = text.split(pageEnd);
  // The last page ends, too.
  if (pages.length > 1 && pages.at(-1)?.trim() === '') pages.pop();
  const hasPages = text.includes(pageEnd);
  const isThere = hasPages && wanted !== undefined && wanted <= pages.length;
  useEffect(() => {
    if (!isThere) return;
    target.current?.scrollIntoView();
    target.current?.focus();
  }, [isThere, wanted]);
  return (
    <>
      {pages.map((page, at) => (
        // Pages are only added at the end
        <div class="text-page" key={at}>
          {hasPages && (
            <h3 tabIndex={-1} ref={at + 1 === wanted ? target : null}>
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
