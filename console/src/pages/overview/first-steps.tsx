/** The first steps in a new project. They go away when all of them are done. */

import { useLoad } from '../../request/use-load.ts';
import { href } from '../../router.ts';
import { can, platform } from '../../session/session.ts';
import { Empty } from '../../shared/basics.tsx';
import { firstRows } from './card.tsx';

type Step = {
  title: string;
  text: string;
  to: string;
  command: string;
  isDone: boolean;
};

/** @returns the steps whose results the credential may read */
async function loadSteps(project: string, signal: AbortSignal): Promise<Step[]> {
  const { avatars, knowledge, environments, conversations } = platform().projects(project);
  const options = { signal };
  const pageQuery = { limit: 1 };
  const pageHref = (path: string) => href(`/projects/${project}/${path}`);
  const inProject = `--project ${project}`;
  const steps = await Promise.all([
    can('avatars:read') &&
      avatars.list(pageQuery, options).then(({ items }) => ({
        title: 'Create an avatar',
        text: 'An avatar has a name, a prompt and a language.',
        to: pageHref('avatars/new'),
        command: `platform avatars create ${inProject} --name Ada --prompt 'You are Ada.'`,
        isDone: items.length > 0,
      })),
    can('knowledge:read') &&
      firstRows(knowledge.documents.list({ status: 'indexed', limit: 100 }, options).pages(), 1).then(
        ({ items }) => ({
          title: 'Add knowledge, and index it',
          text: 'Avatars answer from your documents.',
          to: pageHref('knowledge'),
          command: `platform knowledge sync handbook ${inProject} --source handbook\nplatform reindex ${inProject} --wait`,
          isDone: items.length > 0,
        }),
      ),
    can('deploy:read') &&
      environments.list({ limit: 100 }, options).then(({ items }) => ({
        title: 'Deploy',
        text: 'An environment then serves the avatars and the knowledge as they are now.',
        to: pageHref('deployments'),
        command: `platform deploy ${inProject} --environment production`,
        isDone: items.some(({ current }) => current !== null),
      })),
    can('conversations:read') &&
      conversations.list(pageQuery, options).then(({ items }) => ({
        title: 'Start a conversation',
        text: 'Your application starts conversations through the API.',
        to: pageHref('conversations'),
        command: `platform conversations create ${inProject} --avatar Ada --user customer-4711`,
        isDone: items.length > 0,
      })),
  ]);
  return steps.filter((step) => step !== false);
}

/** The card shows nothing while it loads, and if it fails: the other cards say what failed. */
export function FirstSteps({ project }: { project: string }) {
  const { data: steps = [] } = useLoad((signal) => loadSteps(project, signal), [project]);
  const nextStep = steps.find(({ isDone }) => !isDone);
  if (!nextStep) return null;
  return (
    <section class="card first-steps">
      <h2>First steps</h2>
      <ol>
        {steps.map(({ title, text, to, isDone }) => (
          <li key={title} class={isDone ? 'done' : ''}>
            {isDone ? (
              <>
                {title} <span class="quiet">– done</span>
              </>
            ) : (
              <>
                <a href={to}>{title}</a> <span class="quiet">{text}</span>
              </>
            )}
          </li>
        ))}
      </ol>
      <Empty title={`Next: ${nextStep.title.toLowerCase()}`} command={nextStep.command}>
        Use the link above, or the command line.
      </Empty>
    </section>
  );
}
