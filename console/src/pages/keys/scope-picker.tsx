/** The scopes of a key with their meanings, as a choice and as a list. The choice is nothing, read or write for each resource. */

import { useId } from 'preact/hooks';
import { holds, type Scope, type ScopeResource, scopeResources } from '../../../../lib/base/scopes.ts';
import { can } from '../../session/session.ts';

type Props = { value: readonly Scope[]; onChange: (value: Scope[]) => void; legend?: string };

type Level = 'none' | 'read' | 'write';

const levelOf = (scopes: readonly Scope[], { resource }: ScopeText): Level => {
  if (scopes.includes(`${resource}:write`)) return 'write';
  return scopes.includes(`${resource}:read`) ? 'read' : 'none';
};

export function ScopePicker({ value, onChange, legend = 'What the key can do' }: Props) {
  const set = (text: ScopeText, level: Level) => {
    const otherScopes = value.filter((scope) => !scope.startsWith(`${text.resource}:`));
    onChange(level === 'none' ? otherScopes : [...otherScopes, `${text.resource}:${level}`]);
  };
  const readScopes = scopeTexts.map(({ resource }): Scope => `${resource}:read`).filter(can);
  return (
    <fieldset class="scopes">
      <legend>{legend}</legend>
      {scopeTexts.map((text) => (
        <ScopeRow
          key={text.resource}
          text={text}
          level={levelOf(value, text)}
          onChange={(level) => set(text, level)}
        />
      ))}
      <p class="row">
        <button type="button" class="small" onClick={() => onChange(readScopes)}>
          Read everything
        </button>
        <button type="button" class="small" onClick={() => onChange([])}>
          Nothing
        </button>
        <span class="quiet" role="status">
          {value.length === 0
            ? 'Choose at least one scope.'
            : `${value.length} ${value.length === 1 ? 'scope' : 'scopes'}`}
        </span>
      </p>
    </fieldset>
  );
}

type RowProps = { text: ScopeText; level: Level; onChange: (level: Level) => void };

function ScopeRow({ text, level, onChange }: RowProps) {
  const id = useId();
  const levels: readonly (readonly [Level, string, boolean])[] = [
    ['none', 'None', true],
    ['read', 'Read', can(`${text.resource}:read`)],
    ['write', 'Write', can(`${text.resource}:write`)],
  ];
  const isMissing = levels.some(([name, , isGrantable]) => !isGrantable && (name !== 'write' || text.write));
  return (
    <div class="scope" role="radiogroup" aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
      <strong id={`${id}-title`}>{text.title}</strong>
      <span class="levels">
        {levels
          .filter(([name]) => name !== 'write' || text.write || level === 'write')
          .map(([name, label, isGrantable]) => (
            <label key={name} class={isGrantable ? '' : 'quiet'}>
              <input
                type="radio"
                name={id}
                value={name}
                checked={level === name}
                disabled={!isGrantable}
                onChange={() => onChange(name)}
              />{' '}
              {label}
            </label>
          ))}
      </span>
      <small id={`${id}-text`}>
        {text.read} {text.write && <>Write: {lowerFirst(text.write)}</>}
        {isMissing && <em> Your credential does not have all of this.</em>}
      </small>
    </div>
  );
}

const lowerFirst = (text: string) => text.replace(/^./, (first) => first.toLowerCase());

/** The scopes of a key, with their meanings. */
export const ScopeList = ({ scopes }: { scopes: readonly string[] }) => (
  <ul class="scope-list">
    {scopeTexts
      .filter(({ resource }) => holds(scopes, `${resource}:read`))
      .map(({ resource, title, read, write }) => {
        const isWrite = scopes.includes(`${resource}:write`);
        return (
          <li key={resource}>
            <code>
              {resource}:{isWrite ? 'write' : 'read'}
            </code>{' '}
            <span>
              {title}: {lowerFirst(read)} {isWrite && write}
            </span>
          </li>
        );
      })}
  </ul>
);

/** `write` says what the scope for writing adds to the scope for reading. It is null if no operation needs that scope. */
type Texts = { title: string; read: string; write: string | null };

const texts: Readonly<Record<ScopeResource, Texts>> = {
  projects: {
    title: 'Projects',
    read: 'Sees projects and their settings.',
    write: 'Creates, changes, archives, deletes and restores projects.',
  },
  avatars: {
    title: 'Avatars',
    read: 'Sees avatars with their prompts, and all versions.',
    write: 'Creates, changes and deletes avatars.',
  },
  knowledge: {
    title: 'Knowledge',
    read: 'Reads, searches and exports documents. Sees their jobs.',
    write: 'Uploads, changes and deletes documents. Re-indexes.',
  },
  conversations: {
    title: 'Conversations',
    read: 'Reads, searches and exports transcripts. They may contain personal data.',
    write:
      'Starts, continues and scores conversations. Imports, deletes and erases them. Changes evaluators.',
  },
  deploy: {
    title: 'Deployments',
    read: 'Sees deployments, and what each environment serves.',
    write: 'Deploys, promotes and rolls back.',
  },
  runtime: {
    title: 'Runtime',
    read: 'Reads the configuration of environments and deployments, and searches in them.',
    write: 'Starts, continues, reads and ends conversations, but only its own.',
  },
  'api-keys': {
    title: 'API keys',
    read: 'Sees keys without their secrets.',
    write: 'Creates, changes, rotates and revokes keys. It can grant only what it has.',
  },
  webhooks: {
    title: 'Webhooks',
    read: 'Sees webhooks and their deliveries.',
    write: 'Creates, changes, tests and deletes webhooks. Sends deliveries again.',
  },
  events: {
    title: 'Events',
    read: 'Sees the events of what its other scopes can read.',
    write: null,
  },
  audit: {
    title: 'Audit log',
    read: 'Sees who changed what. Exports the log.',
    write: null,
  },
};

export type ScopeText = Texts & { resource: ScopeResource };

/** The texts of all resources. The scopes that people choose most are first. */
export const scopeTexts: readonly ScopeText[] = (Object.keys(texts) as ScopeResource[])
  .filter((resource) => resource in scopeResources)
  .map((resource) => ({ resource, ...texts[resource] }));
