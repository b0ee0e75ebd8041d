/** Who did something: an API key as a link, anything else as text. */

import { href } from '../router.ts';
import { can } from '../session/session.ts';
import { Name } from './text.tsx';

/** @param name of the key, if it is known */
export function Credential({ id, name }: { id: string; name?: string | null }) {
  const isKey = /^key_\w+$/.test(id);
  const text = <Name value={name ?? (isKey ? `key …${id.slice(-6)}` : id)} />;
  if (!isKey || !can('api-keys:read')) return text;
  return (
    <a class="credential" href={href(`/keys/${id}`)} title={id}>
      {text}
    </a>
  );
}
