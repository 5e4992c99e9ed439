import { Refusal } from '#contract/errors.ts';

const DELIMITERS = [',', ';', '\t'];

/** Archives, spreadsheets and the like, whatever they call themselves. */
const SIGNATURES = [
  [0x50, 0x4b, 0x03, 0x04], // zip, and with it xlsx and ods
  [0x50, 0x4b, 0x05, 0x06],
  [0x1f, 0x8b], // gzip
  [0xd0, 0xcf, 0x11, 0xe0], // xls
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
  [0x25, 0x50, 0x44, 0x46], // pdf
  [0x52, 0x61, 0x72, 0x21], // rar
];

export const notCsv = () => new Refusal('unsupported_media_type', 'Please select a CSV file');

export function requireNoArchive(firstBytes: Buffer) {
  const is = (signature: number[]) => signature.every((byte, at) => firstBytes[at] === byte);
  if (SIGNATURES.some(is)) throw notCsv();
}

/** The first line that has something in it, if the text holds all of it. Line breaks within quotes belong to it. */
export function firstLineIn(text: string): string | undefined {
  let quoted = false;
  const from = text.search(/[^\r\n]/);
  if (from === -1) return undefined;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === '\n' || char === '\r')) return text.slice(from, at);
  }
  return undefined;
}

/** What stands between the cells of a header: whichever occurs most. */
export function delimiterOf(header: string): string {
  const outsideQuotes = header.replace(/"[^"]*"?/g, '');
  const count = (delimiter: string) => outsideQuotes.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}
