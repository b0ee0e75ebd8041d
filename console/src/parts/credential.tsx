/** Who did something: an API key by its name, as a link; a workload identity by the subject of its token; anything else as text. */

import { type Signal, signal } from '@preact/signals';
import { href } from '../router.ts';
import { can, onSignOut, platform } from '../session/session.ts';
import { Name } from './text.tsx';

/** Names of keys, by id. A key that cannot be read, such as one of another creator, has none. */
const names = new Map<string, Signal<string | undefined>>();
onSignOut(() => names.clear());

/** Each key is read once in a session. */
function nameOf(id: string): string | undefined {
  const known = names.get(id);
  if (known) return known.value;
  const name = signal<string | undefined>(undefined);
  names.set(id, name);
  platform()
    .apiKeys.get(id)
    .then(
      (key) => {
        name.value = key.name;
      },
      () => {},
    );
  return name.value;
}

type Props = {
  id: string;
  /** Of the key, if it is known. */
  name?: string | null;
  /** In a summary, a link would be a control in another one. */
  isText?: boolean;
};

export function Credential({ id, name, isText = false }: Props) {
  const identity = /^(wid_\w+)(?::(.*))?$/s.exec(id);
  if (identity) {
    const [, own = '', subject] = identity;
    return (
      <span title={own}>
        <Name value={name ?? subject ?? `identity …${own.slice(-6)}`} />
      </span>
    );
  }
  const isKey = /^key_\w+$/.test(id);
  const isReadable = isKey && can('api-keys:read');
  const known = name ?? (isReadable ? nameOf(id) : undefined);
  const text = <Name value={known ?? (isKey ? `key …${id.slice(-6)}` : id)} />;
  if (!isReadable || isText) return text;
  return (
    <a class="credential" href={href(`/keys/${id}`)} title={id}>
      {text}
    </a>
  );
}
