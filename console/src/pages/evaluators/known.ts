/** The evaluators of a project: at most 50. They arrive after the page, which works without them. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Evaluator } from '../../../../clients/typescript/src/index.ts';
import { onSignOut, platform } from '../../session/session.ts';

/** Of the project whose pages are open. */
const known = signal<{ project: string; evaluators: readonly Evaluator[] }>({ project: '', evaluators: [] });
onSignOut(() => {
  known.value = { project: '', evaluators: [] };
});

/** @returns those that are known, by name */
export function useEvaluators(project: string): readonly Evaluator[] {
  useEffect(() => {
    const controller = new AbortController();
    platform()
      .projects(project)
      .evaluators.list({ limit: 100 }, { signal: controller.signal })
      .then(
        ({ items }) => {
          const evaluators = items.toSorted((a, b) => (a.name < b.name ? -1 : 1));
          known.value = { project, evaluators };
        },
        // Scores are shown without them.
        () => {},
      );
    return () => controller.abort();
  }, [project]);
  return known.value.project === project ? known.value.evaluators : [];
}
