/** The frame of every page: header, menu, the page itself, and its request as code. */

import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../clients/typescript/src/index.ts';
import { holds, namedLack } from '../../lib/base/scopes.ts';
import { menuPages, type PageEntry, pageAt } from './pages/registry.ts';
import { Palette } from './palette.tsx';
import { RequestPanel } from './request/panel.tsx';
import { forgetRequests, isReachable } from './request/record.ts';
import { useLoad } from './request/use-load.ts';
import { address, href, path, refresh } from './router.ts';
import type { PageParams } from './router-path.ts';
import { placeOf, rememberPlace } from './scroll-positions.ts';
import { can, isArchived, lastProject, platform, type Session, session, signOut } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { Announcer, Loading } from './shared/basics.tsx';
import { Problem } from './shared/problem.tsx';
import { Name } from './shared/text.tsx';

export function App() {
  const me = session.value?.me;
  return me ? <Frame me={me} /> : <SignIn />;
}

type Me = Session['me'];

function Frame({ me }: { me: Me }) {
  const match = pageAt(path.value);
  const openProject = match?.params.project;
  const project = openProject ?? lastProject.value;
  useEffect(() => {
    if (openProject) lastProject.value = openProject;
  }, [openProject]);
  const frame = useRef<HTMLElement>(null);
  const menu = useRef<HTMLElement>(null);
  const closeMenu = () => menu.current?.hidePopover();
  useEffect(() => {
    document.documentElement.dataset.mode = me.mode;
    return () => {
      delete document.documentElement.dataset.mode;
    };
  }, [me.mode]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => frame.current?.focus()}>
        Skip to the page
      </button>
      <header class="top">
        <button type="button" class="menu-button" popovertarget="pages">
          Menu
        </button>
        <a class="brand" href={href('/')}>
          Platform
        </a>
        <span class="organisation">
          <Name value={me.organisationName} />
        </span>
        {me.mode === 'test' && <strong class="badge test">Test data</strong>}
        <span class="spring" />
        <Palette project={project} />
        <Account me={me} />
      </header>
      {!isReachable.value && (
        <p class="notice" role="status">
          The service cannot be reached. What is on the page may be old.
        </p>
      )}
      {/* On a phone, the button opens the menu. On a wide screen, the menu is always there. */}
      <nav id="pages" class="menu" aria-label="Pages" popover="auto" ref={menu}>
        {project && (
          <Menu
            title={<ProjectName key={project} id={project} isOpen={project === openProject} />}
            entries={menuPages(true)}
            project={project}
            scopes={me.scopes}
            onFollow={closeMenu}
          />
        )}
        <Menu
          title="Organisation"
          entries={menuPages(false)}
          project={project}
          scopes={me.scopes}
          onFollow={closeMenu}
        />
      </nav>
      <main id="main" tabIndex={-1} ref={frame}>
        {openProject && isArchived.value && (
          <p class="notice">
            This project is archived: it is read-only until somebody makes it active again, so its pages have
            no buttons that change something. Conversations and the texts of documents can still be erased.
          </p>
        )}
        {match && <ReadOnlyNote page={match.page} />}
        {match ? (
          <Outlet key={path.value} {...match} scopes={me.scopes} />
        ) : (
          <p>There is no page at this address.</p>
        )}
      </main>
      <RequestPanel />
      <Announcer />
    </div>
  );
}

/** Says why a page that could change something has no button for it. */
function ReadOnlyNote({ page: { scope, write } }: { page: PageEntry }) {
  if (!write || can(write) || (scope && !can(scope))) return null;
  const whose = session.value?.me.kind === 'api_key' ? 'Your key' : 'Your credential';
  return (
    <p class="notice">
      {whose} has no <code>{write}</code>, so you can only read.
    </p>
  );
}

type MenuProps = {
  title: ComponentChildren;
  entries: readonly PageEntry[];
  project: string | undefined;
  scopes: readonly string[];
  onFollow: () => void;
};

function Menu({ title, entries, project, scopes, onFollow }: MenuProps) {
  const allowed = entries.filter(({ scope }) => !scope || holds(scopes, scope));
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {allowed.map((entry) => {
          const target = entry.pattern.replace(':project', project ?? '');
          const isCurrent = path.value === target;
          // The open page is below this one, as a conversation is below the list of conversations. Every page is below an overview.
          const isAbove = !hasEverything(entry) && path.value.startsWith(`${target}/`);
          return (
            <li key={entry.pattern}>
              <a
                href={href(target)}
                aria-current={isCurrent ? 'page' : isAbove || undefined}
                onClick={() => {
                  onFollow();
                  // A link to the address of the open page changes nothing, so the page requests its lists again.
                  if (address.peek() === target) refresh();
                }}
              >
                {entry.title}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const hasEverything = ({ pattern }: PageEntry) => pattern === '/' || pattern === '/projects/:project';

/** The menu says `Project` until the name is loaded, and for a credential that may not read the name. */
function ProjectName({ id, isOpen }: { id: string; isOpen: boolean }) {
  const { data, error } = useLoad(
    async (signal) => (can('projects:read') ? platform().projects.get(id, { signal }) : undefined),
    // The menu keeps the project on the pages of the organisation. Meanwhile, somebody can archive it.
    [id, isOpen],
  );
  // A project that is gone leaves the menu.
  useEffect(() => {
    if (error instanceof ApiError && error.status === 404) lastProject.value = undefined;
  }, [error]);
  useEffect(() => {
    isArchived.value = data?.status === 'archived';
    return () => {
      isArchived.value = false;
    };
  }, [data]);
  return <Name value={data?.name} none="Project" />;
}

function Account({ me }: { me: Me }) {
  return (
    <>
      <button type="button" popovertarget="account">
        {me.kind === 'api_key' ? 'Key' : 'Account'}
      </button>
      <div id="account" popover="auto">
        <p>
          <bdi>{me.id}</bdi>
        </p>
        <p class="quiet">{me.scopes.join(', ')}</p>
        <button type="button" onClick={() => signOut()}>
          Sign out
        </button>
      </div>
    </>
  );
}

type OutletProps = { page: PageEntry; params: PageParams; scopes: readonly string[] };

/** Loads the code of the page. */
function Outlet({ page, params, scopes }: OutletProps) {
  const [state, setState] = useState<{ Page?: ComponentType<{ params: PageParams }>; error?: unknown }>({});
  const [round, setRound] = useState(0);
  // The place is read before the page is drawn: when the previous page goes, the browser scrolls to the start.
  const [place] = useState(() => placeOf(address.peek()));
  const { scope } = page;
  const lack = scope && !holds(scopes, scope) ? namedLack(scopes, scope) : undefined;
  // The outlet of each page has its own key, so the page and its scope do not change.
  useEffect(() => {
    document.title = `${page.title} · Platform console`;
    forgetRequests();
    let isShown = true;
    if (!lack)
      page.load().then(
        (loaded) => isShown && setState({ Page: loaded.default }),
        (error: unknown) => isShown && setState({ error }),
      );
    return () => {
      isShown = false;
    };
  }, [round]);
  useEffect(() => {
    if (!state.Page) return;
    let stop = () => {};
    // The page first draws the rows that it had loaded before.
    const timer = setTimeout(() => {
      window.scrollTo(0, place);
      stop = rememberPlace();
    }, 0);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [state.Page]);
  if (lack) return <p>This credential lacks {lack}, which this page needs.</p>;
  if (state.error) return <Problem error={state.error} onRepeat={() => setRound(round + 1)} />;
  return state.Page ? <state.Page params={params} /> : <Loading />;
}
