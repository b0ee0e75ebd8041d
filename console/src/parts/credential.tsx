/** Who did something: an API key by its name, as a link; a workload identity by the subject of its token; anything else as text. */

import { href } from '../router.ts';
import { can } from '../session/session.ts';
import { knownName } from './known-names.ts';
import { Name } from './text.tsx';

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
  const known = name ?? (isKey ? knownName(id) : undefined);
  const text = <Name value={known ?? (isKey ? `key …${id.slice(-6)}` : id)} />;
  if (!isReadable || isText) return text;
  return (
    <a class="credential" href={href(`/keys/${id}`)} title={id}>
      {text}
    </a>
  );
}
