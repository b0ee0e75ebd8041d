/** Content of any kind as text with Markdown's headings, which is what is cut into chunks. */

import { convert, type HtmlToTextOptions } from 'html-to-text';
import type { DocumentContent } from '../models/knowledge-document.ts';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const htmlOptions: HtmlToTextOptions = {
  wordwrap: false,
  formatters: {
    markdownHeading(element, walk, builder) {
      builder.openBlock({ leadingLineBreaks: 2 });
      builder.addInline(`${'#'.repeat(Number(element.name?.slice(1) ?? 1))} `);
      walk(element.children, builder);
      builder.closeBlock({ trailingLineBreaks: 2 });
    },
  },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'nav', format: 'skip' },
    { selector: 'table', format: 'dataTable' },
    ...headings.map((selector) => ({ selector, format: 'markdownHeading' })),
  ],
  // A page that is nested without end, or has no end of elements, must not hold up all others.
  limits: { maxDepth: 200, ellipsis: '' },
};

/** @returns the text; plain text has no headings, so a line of `#` in it stays what it is */
export function plainText({ content, mimeType }: Pick<DocumentContent, 'content' | 'mimeType'>): string {
  return mimeType === 'text/html' ? convert(content, htmlOptions) : content;
}
