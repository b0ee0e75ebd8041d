/** Ctrl+K: go to a page or a project, or do what the page offers. */

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Project } from '../../clients/typescript/src/index.ts';
import { holds } from '../../lib/base/scopes.ts';
import { pages } from './pages/registry.ts';
import { navigate } from './router.ts';
import { can, session, signOut } from './session/session.ts';

export type Command = { label: string; run: () => void };

/** What the current page offers. */
const offered = signal<readonly Command[]>([]);

/** Adds actions to the palette as long as the page is shown. */
export function useCommands(commands: readonly Command[]): void {
  // The labels name the commands
  useEffect(() => {
    offered.value = commands;
    return () => {
      offered.value = [];
    };
  }, [commands.map(({ label }) => label).join('\n')]);
}

const maxShown = 12;

/** A request in the same task would delay the picture of the open palette. */
const afterPicture = (act: () => void) => requestAnimationFrame(() => setTimeout(act, 0));

export function Palette({ project }: { project: string | undefined }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [projects, setProjects] = useState<readonly Project[]>([]);

  const open = () => {
    setText('');
    setAt(0);
    if (!ref.current?.open) ref.current?.showModal();
    if (can('projects:read')) afterPicture(loadProjects);
  };
  const loadProjects = () =>
    // The session may have ended in the meantime.
    session
      .peek()
      ?.platform.projects.list({ limit: 100 })
      .then(
        ({ items }) => setProjects(items),
        () => {},
      );
  // One listener for the whole session
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        // Another dialog would be left without a question.
        if (!document.querySelector('dialog[open]')) open();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  const all: Command[] = [
    ...offered.value,
    ...pages
      .filter(({ isInMenu, scope, pattern }) => {
        const isReachable = isInMenu && (project || !pattern.includes(':project'));
        return isReachable && (!scope || holds(session.value?.me.scopes ?? [], scope));
      })
      .map(({ title, pattern }) => ({
        label: `Go to ${title}`,
        run: () => navigate(pattern.replace(':project', project ?? '')),
      })),
    ...projects.map(({ id, name }) => ({
      label: `Open project ${name}`,
      run: () => navigate(`/projects/${id}`),
    })),
    {
      label: 'Open the API reference',
      run: () => window.open(`${location.pathname.replace(/console\/?$/, '')}docs`, '_blank', 'noopener'),
    },
    { label: 'Sign out', run: () => signOut() },
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .slice(0, maxShown);
  const chosen = Math.min(at, shown.length - 1);
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
          aria-label="Go to a page, a project or an action"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen >= 0 ? `palette-${chosen}` : undefined}
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
              setAt((chosen + step + shown.length) % Math.max(shown.length, 1));
            } else if (event.key === 'Enter') {
              event.preventDefault();
              run(shown[chosen]);
            }
          }}
        />
        <div id="palette-list" role="listbox" aria-label="Actions">
          {shown.map((command, index) => (
            <div
              key={command.label}
              id={`palette-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              onClick={() => run(command)}
              onKeyDown={() => {}}
            >
              <bdi>{command.label}</bdi>
            </div>
          ))}
        </div>
        {shown.length === 0 && <p class="quiet">Nothing matches.</p>}
      </dialog>
    </>
  );
}
