/** The address of a page of the web. It comes from a caller or from a site, so only an `http` or `https` address is a link. */

import { Name } from './text.tsx';

export const WebLink = ({ url }: { url: string }) =>
  /^https?:\/\//.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer">
      <Name value={url} />
    </a>
  ) : (
    <Name value={url} />
  );
