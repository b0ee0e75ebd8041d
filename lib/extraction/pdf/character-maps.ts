/**
 * The character maps of Chinese, Japanese and Korean ("PDF Reference" 1.7, section 5.6.4), which a PDF may name without containing
 * them. A bundle has them in a folder next to it.
 */
export const characterMaps = new URL('../../../node_modules/pdfjs-dist/cmaps/', import.meta.url);
