/** Ctrl+K opens the palette. It goes to a page, or to a resource by its name, and runs the commands of the page. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { holds } from '../../lib/base/scopes.ts';
import { pages } from './pages/registry.ts';
import { type Command, pageCommands } from './palette-commands.ts';
import { loadNames, type Names } from './palette-names.ts';
import { navigate } from './router.ts';
import { session, signOut } from './session/session.ts';

const maxEntries = 12;

/** The names are loaded after this pause, because nobody finishes a word in less. */
const typingMs = 200;

export function Palette({ project }: { project: string | undefined }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [names, setNames] = useState<Names | undefined>(undefined);

  const open = () => {
    setText('');
    setAt(0);
    setNames(undefined);
    if (!ref.current?.open) ref.current?.showModal();
  };
  // The names are loaded once while the palette is open. Text that is typed later chooses from the same names.
  const hasText = text.trim() !== '';
  useEffect(() => {
    if (!hasText || names) return;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(
      () =>
        loadNames(project, signal).then(
          (loaded) => !signal.aborted && setNames(loaded),
          () => {},
        ),
      typingMs,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [hasText, names === undefined]);
  // One listener serves the whole session.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        // The palette leaves the page, and an open dialog must be able to ask before that.
        if (!document.querySelector('dialog[open]')) open();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const commands: Command[] = [
    ...pageCommands.value,
    ...pages
      .filter(({ isInMenu, scope, pattern }) => {
        const isReachable = isInMenu && (project || !pattern.includes(':project'));
        return isReachable && (!scope || holds(session.value?.me.scopes ?? [], scope));
      })
      .map(({ title, pattern }) => ({
        label: `Go to ${title}`,
        run: () => navigate(pattern.replace(':project', project ?? '')),
      })),
    ...(names?.items ?? []).map(({ id, label, path }) => ({ id, label, run: () => navigate(path) })),
    {
      label: 'Open the API reference',
      run: () => window.open(`${location.pathname.replace(/console\/?$/, '')}docs`, '_blank', 'noopener'),
    },
    { label: 'Sign out', run: () => signOut() },
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = commands
    .filter(({ label, id = '' }) => words.every((word) => `${label} ${id}`.toLowerCase().includes(word)))
    .slice(0, maxEntries);
  const activeIndex = Math.min(at, entries.length - 1);
  const isAmbiguous = ({ label }: Command) => entries.filter((entry) => entry.label === label).length > 1;
  const run = (command: Command | undefined) => {
    ref.current?.close();
    command?.run();
  };
  return (
    <>
      <button type="button" class="search" onClick={open} aria-keyshortcuts="Control+K">
        Go to … <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={ref} class="palette" aria-label="Go to">
        <input
          type="text"
          role="combobox"
          aria-label="Go to anything, or do something"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={activeIndex >= 0 ? `palette-${activeIndex}` : undefined}
          autocomplete="off"
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined) {
              event.preventDefault();
              setAt((activeIndex + step + entries.length) % Math.max(entries.length, 1));
            } else if (event.key === 'Enter') {
              event.preventDefault();
              run(entries[activeIndex]);
            }
          }}
        />
        <div id="palette-list" role="listbox" aria-label="Actions">
          {entries.map((command, index) => (
            <div
              key={command.id ?? command.label}
              id={`palette-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              onClick={() => run(command)}
              onKeyDown={() => {}}
            >
              <bdi>{command.label}</bdi>
              {command.id && isAmbiguous(command) && <span class="quiet"> …{command.id.slice(-6)}</span>}
            </div>
          ))}
        </div>
        <p class="quiet" role="status">
          {hasText && noteOn(names, entries.length)}
        </p>
      </dialog>
    </>
  );
}

/** @returns a note that the list does not give by itself */
function noteOn(names: Names | undefined, entryCount: number): string | undefined {
  if (!names) return 'Looking for names …';
  if (!names.isWhole) return 'Not every name is here. The pages list all names.';
  return entryCount === 0 ? 'Nothing matches.' : undefined;
}
