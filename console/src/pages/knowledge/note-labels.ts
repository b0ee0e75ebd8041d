/** The codes by which the list can be filtered. */
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
