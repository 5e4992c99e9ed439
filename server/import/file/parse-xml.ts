import { StringDecoder } from 'node:string_decoder';
import { SaxesParser } from 'saxes';
import { workbookUnusable } from './read-zip.ts';

/** The attributes of a tag, by their names in the file. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** The names of tags are without their prefix. */
export interface XmlHandlers {
  open(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** The parser keeps the text of an element until its end; more than this is no cell. */
const MAX_TEXT = 1024 * 1024;

/** Parses UTF-8 XML and calls the handlers. Yields after each piece, so that the caller can pass on what it has. */
export async function* parseXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const decoder = new StringDecoder('utf8');
  let withoutEvent = 0;
  let empty = true;
  parser.on('error', () => {
    throw workbookUnusable();
  });
  // Entities are defined in a document type, and a workbook has none.
  parser.on('doctype', () => {
    throw workbookUnusable();
  });
  parser.on('opentag', ({ name, attributes }) => {
    withoutEvent = 0;
    handlers.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    withoutEvent = 0;
    handlers.close?.(localName(name));
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));

  for await (const piece of pieces) {
    withoutEvent += piece.length;
    parser.write(decoder.write(piece));
    if (withoutEvent > MAX_TEXT) throw workbookUnusable();
    empty = false;
    yield;
  }
  if (!empty) parser.close(); // a workbook need not have every part
}

/** Parses a small document as a whole. */
export async function parseWholeXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers) {
  for await (const _ of parseXml(pieces, handlers));
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
