/** The parts of a document in their order, as a person sees them. Each reader makes them, and one writer makes Markdown of them. */
export type Block =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  /** `marker` is as shown: `•`, `3.`, `a)`, `§ 1`. The outermost list has depth 0. */
  | { type: 'listItem'; marker: string; depth: number; text: string }
  /** Each row has all its columns. The first row is the header. */
  | { type: 'table'; rows: readonly (readonly string[])[] }
  | { type: 'code'; text: string }
  | { type: 'caption'; text: string }
  /** A foot- or endnote, with the mark that the text has in its place. */
  | { type: 'note'; marker: string; text: string }
  /** A field of a form. */
  | { type: 'field'; label: string; value: string }
  | { type: 'pageEnd' };

/** Takes the blocks of a document in their order. */
export type BlockSink = (block: Block) => void;

/** Something of a file that the reader left out or changed, for the owner of the file. `pages` are numbers from 1. */
export type ExtractionNote = { code: NoteCode; count: number; pages?: readonly number[] };

/** The codes of notes, in alphabetical order. The API shows them, and a caller may filter by each. */
export const noteCodes = [
  'attachments_left_out',
  'characters_replaced',
  'comments_left_out',
  'encoding_assumed',
  'pages_without_text',
  'pictures_without_text',
  'text_left_out',
  'truncated_file',
] as const;

export type NoteCode = (typeof noteCodes)[number];
