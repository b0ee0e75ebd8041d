/** The names of the codes of notes, by which the list can be filtered. */
export const noteLabels = [
  ['attachments_left_out', 'Attachments not read'],
  ['characters_replaced', 'Unreadable characters'],
  ['comments_left_out', 'Comments left out'],
  ['encoding_assumed', 'Encoding assumed'],
  ['pages_without_text', 'Pages without text'],
  ['pictures_without_text', 'Pictures not read'],
  ['text_left_out', 'Text left out'],
  ['truncated_file', 'File ends too early'],
] as const;

/** What a user can do about a file with such a note. Some codes need nothing. */
export const repairs: Readonly<Record<string, string>> = {
  attachments_left_out: 'Upload them as files of their own.',
  characters_replaced: 'Save the file as UTF-8, and upload it again.',
  encoding_assumed: 'If some characters are wrong, save the file as UTF-8, and upload it again.',
  pages_without_text: 'If they are scanned, recognise them (OCR), and upload the file again.',
  truncated_file: 'Upload the whole file.',
};
