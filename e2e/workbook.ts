import { crc32 } from 'node:zlib';

/** An Excel workbook with these sheets, of rows of text cells. */
export function buildWorkbook(sheets: Record<string, string[][]>): Buffer {
  const names = Object.keys(sheets);
  const relations = names.map(
    (_, nth) =>
      `<Relationship Id="r${nth}" Type="${OFFICE}/relationships/worksheet" Target="worksheets/sheet${nth}.xml"/>`,
  );
  return buildZip({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="w" Type="${OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}/relationships"><sheets>${names
      .map((name, nth) => `<sheet name="${name}" sheetId="${nth + 1}" r:id="r${nth}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`,
    ...Object.fromEntries(Object.values(sheets).map((rows, nth) => [`xl/worksheets/sheet${nth}.xml`, toSheet(rows)])),
  });
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

function toSheet(rows: string[][]): string {
  const toCell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const data = rows.map((cells, nth) => `<row r="${nth + 1}">${cells.map(toCell).join('')}</row>`);
  return `<worksheet xmlns="${MAIN}"><sheetData>${data.join('')}</sheetData></worksheet>`;
}

/** Without compression. */
function buildZip(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => ({ name: Buffer.from(name), data: Buffer.from(text) }));
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data } of entries) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, name, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, name);
    offset += 30 + name.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
