/** The evaluators of a project: at most 50. They arrive after the page, which works without them. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Evaluator } from '../../../../clients/typescript/src/index.ts';
import { can, onSignOut, platform } from '../../session/session.ts';

/** The evaluators of the project whose pages are open. */
const projectEvaluators = signal<{ project: string; evaluators: readonly Evaluator[] }>({
  project: '',
  evaluators: [],
});
onSignOut(() => {
  projectEvaluators.value = { project: '', evaluators: [] };
});

/** @returns the evaluators that are loaded, by name: none for a credential that may not read them */
export function useEvaluators(project: string): readonly Evaluator[] {
  useEffect(() => {
    if (!can('conversations:read')) return;
    const controller = new AbortController();
    platform()
      .projects(project)
      .evaluators.list({ limit: 100 }, { signal: controller.signal })
      .then(
        ({ items }) => {
          const evaluators = items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
          projectEvaluators.value = { project, evaluators };
        },
        // The pages show scores without the evaluators, too.
        () => {},
      );
    return () => controller.abort();
  }, [project]);
  return projectEvaluators.value.project === project ? projectEvaluators.value.evaluators : [];
}
