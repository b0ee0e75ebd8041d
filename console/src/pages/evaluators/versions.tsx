/** The versions of an evaluator, and the changes of each version. */

import type { Evaluator, EvaluatorVersion } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { usePages } from '../../request/use-pages.ts';
import { platform } from '../../session/session.ts';
import { Badge, Empty, Expander } from '../../shared/basics.tsx';
import { Credential } from '../../shared/credential.tsx';
import { Changes } from '../../shared/diff.tsx';
import { List } from '../../shared/list.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Time } from '../../shared/time.tsx';
import { labelOf, versionChanges } from './draft.ts';

type Props = { project: string; evaluator: Evaluator };

export function Versions({ project, evaluator }: Props) {
  const list = usePages<EvaluatorVersion>(
    'page',
    (signal) =>
      platform().projects(project).evaluators.versions.list(evaluator.id, { limit: 50 }, { signal }),
    [evaluator.id, evaluator.version],
  );
  return (
    <>
      <p class="quiet">Each score names the version that gave it.</p>
      <List
        label="Versions"
        list={list}
        keyOf={({ version }) => String(version)}
        row={(version) => (
          <Expander
            summary={
              <>
                <strong>Version {version.version}</strong>{' '}
                {version.version === evaluator.version && <Badge value="latest" />}{' '}
                <span class="quiet">
                  <Time at={version.createdAt} /> by <Credential id={version.createdBy} isText />
                  {version.version === 1 && ' · created'}
                </span>
              </>
            }
          >
            {() => <Details project={project} evaluator={evaluator} version={version} />}
          </Expander>
        )}
        empty={<Empty title="There is no version" />}
      />
    </>
  );
}

function Details({ project, evaluator, version }: Props & { version: EvaluatorVersion }) {
  const previousVersion = useLoad(
    async (signal) => {
      if (version.version === 1) return { version: undefined };
      const { versions } = platform().projects(project).evaluators;
      return { version: await versions.get(evaluator.id, version.version - 1, { signal }) };
    },
    [version.version],
  );
  return (
    <>
      <Problem error={previousVersion.error} onRepeat={previousVersion.reload} />
      {previousVersion.data && (
        <Changes changes={versionChanges(previousVersion.data.version, version)} nameOf={labelOf} />
      )}
    </>
  );
}
