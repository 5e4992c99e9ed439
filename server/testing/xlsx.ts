import { crc32, deflateRawSync } from 'node:zlib';
import type { RandomAccessFile } from '#server/import/file/read-zip.ts';

/** A zip file of these entries. */
export function buildZip(entries: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(entries)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const sizes = Buffer.alloc(16);
    sizes.writeUInt16LE(0x21, 2); // 1980-01-01
    sizes.writeUInt32LE(crc32(bytes), 4);
    sizes.writeUInt32LE(packed.length, 8);
    sizes.writeUInt32LE(bytes.length, 12);
    const header = Buffer.concat([Buffer.from('504b0304140000000800', 'hex'), sizes, uint16(name.length), uint16(0)]);
    directory.push(
      Buffer.concat([Buffer.from('504b01021400140000000800', 'hex'), sizes, uint16(name.length), Buffer.alloc(12)]),
      uint32(offset),
      name,
    );
    parts.push(header, name, packed);
    offset += header.length + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const count = uint16(Object.keys(entries).length);
  const end = Buffer.concat([Buffer.from('504b050600000000', 'hex'), count, count, uint32(listed.length)]);
  return Buffer.concat([...parts, listed, end, uint32(offset), uint16(0)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

interface WorkbookOptions {
  /** By name, the XML of the rows of each sheet. */
  sheets: Record<string, string>;
  hidden?: string[];
  strings?: string[];
  /** The XML of `numFmts` and `cellXfs`. */
  styles?: string;
  from1904?: boolean;
  /** Further or replaced entries. */
  entries?: Record<string, string | Buffer>;
}

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';

/** A workbook as Excel writes it. */
export function buildWorkbook({ sheets, hidden = [], strings = [], styles = '', from1904, entries }: WorkbookOptions) {
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = (list: string[]) =>
    `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`;
  const listed = names.map(
    (name, nth) =>
      `<sheet name="${name}" sheetId="${nth + 1}"${hidden.includes(name) ? ' state="hidden"' : ''} r:id="rId${nth + 1}"/>`,
  );
  return buildZip({
    '_rels/.rels': relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${RELATIONS}"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, nth) => relation(`rId${nth + 1}`, 'worksheet', `worksheets/sheet${nth + 1}.xml`)),
      relation('rId98', 'sharedStrings', '/xl/sharedStrings.xml'),
      relation('rId99', 'styles', 'styles.xml'),
    ]),
    'xl/sharedStrings.xml': `${XML}<sst ${MAIN}>${strings.map((each) => `<si>${each}</si>`).join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, nth) => [
        `xl/worksheets/sheet${nth + 1}.xml`,
        `${XML}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...entries,
  });
}

/** The XML of a row of texts. */
export const buildRow = (nth: number, cells: string[]) =>
  `<row r="${nth}">${cells.map((cell) => `<c t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`).join('')}</row>`;

const escapeXml = (text: string) => text.replace(/[&<]/g, (character) => (character === '&' ? '&amp;' : '&lt;'));

export const inMemory = (bytes: Buffer): RandomAccessFile => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(start, end),
});
