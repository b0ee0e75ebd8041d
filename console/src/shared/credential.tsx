/** Who did something: an API key by its name, as a link; a workload identity by the subject of its token; anything else as text. */

import { href } from '../router.ts';
import { can } from '../session/session.ts';
import { resourceName } from './resource-names.ts';
import { Name } from './text.tsx';

type Props = {
  id: string;
  /** The name of the key, if the page has it. */
  name?: string | null;
  /** Whether the key is no link: a summary is a control, and must not contain another one. */
  isText?: boolean;
};

export function Credential({ id, name, isText = false }: Props) {
  const identity = /^(wid_\w+)(?::(.*))?$/s.exec(id);
  if (identity) {
    const [, identityId = '', subject] = identity;
    return (
      <span title={identityId}>
        <Name value={name ?? subject ?? `identity …${identityId.slice(-6)}`} />
      </span>
    );
  }
  const isKey = /^key_\w+$/.test(id);
  const isReadable = isKey && can('api-keys:read');
  const keyName = name ?? (isKey ? resourceName(id) : undefined);
  const text = <Name value={keyName ?? (isKey ? `key …${id.slice(-6)}` : id)} />;
  if (!isReadable || isText) return text;
  return (
    <a class="credential" href={href(`/keys/${id}`)} title={id}>
      {text}
    </a>
  );
}
