import { MAX_CELL_LENGTH } from '#contract/import/import.calls.ts';
import { parseWholeXml, type XmlAttributes } from './parse-xml.ts';
import { openZip, type RandomAccessFile, workbookUnusable, type ZipFile } from './read-zip.ts';
import { type NumberFormat, parseNumberFormat } from './xlsx-cells.ts';

export interface Workbook {
  zip: ZipFile;
  /** The visible sheets, by name, with the path of each in the zip file. */
  sheets: Map<string, string>;
  stringsPath: string | undefined;
  stylesPath: string | undefined;
  from1904: boolean;
}

const OLE_SIGNATURE = 'd0cf11e0';
const ZIP_SIGNATURE = '504b0304';
const MAX_STRINGS_LENGTH = 64 * 1024 * 1024;

/** Opens an .xlsx file and reads its list of sheets. Formulas are never computed, and links are never followed. */
export async function openWorkbook(file: RandomAccessFile): Promise<Workbook> {
  const signature = (await file.read(0, 4)).toString('hex');
  if (signature === OLE_SIGNATURE) {
    throw workbookUnusable(
      'The workbook is protected by a password or in an old format. Please save it as .xlsx without a password.',
    );
  }
  if (signature !== ZIP_SIGNATURE) throw workbookUnusable('The file is not an Excel workbook.');
  const zip = await openZip(file);
  if (zip.names.some((name) => name.startsWith('xl/externalLinks/'))) {
    throw workbookUnusable('The workbook takes values from other files. Please save a copy with values only.');
  }
  const path = findPath(await readRelations(zip, '_rels/.rels', ''), 'officeDocument');
  if (!path) throw workbookUnusable('The file is not an Excel workbook.');
  const relations = await readRelations(zip, toRelationsPath(path), toFolder(path));

  const sheets = new Map<string, string>();
  let from1904 = false;
  await parseWholeXml(zip.read(path), {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return;
      const relation = relations.get(findId(attributes));
      // A chart sheet has no rows.
      if (relation?.type === 'worksheet') sheets.set(attributes.name ?? '', relation.path);
    },
  });
  if (!sheets.size) throw workbookUnusable('The workbook has no visible sheet.');
  return {
    zip,
    sheets,
    stringsPath: findPath(relations, 'sharedStrings'),
    stylesPath: findPath(relations, 'styles'),
    from1904,
  };
}

/** The prefix of the relation's id is the file's choice; usually it is "r:id". */
const findId = (attributes: XmlAttributes) =>
  Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';

interface Relation {
  type: string;
  path: string;
}

async function readRelations(zip: ZipFile, path: string, folder: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  await parseWholeXml(zip.read(path), {
    open(name, attributes) {
      const target = attributes.Target;
      if (name !== 'Relationship' || !target || attributes.TargetMode === 'External') return;
      const type = attributes.Type?.split('/').at(-1) ?? '';
      relations.set(attributes.Id ?? '', {
        type,
        path: target.startsWith('/') ? target.slice(1) : folder + target,
      });
    },
  });
  return relations;
}

const findPath = (relations: Map<string, Relation>, type: string) =>
  [...relations.values()].find((relation) => relation.type === type)?.path;

const toFolder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);
const toRelationsPath = (path: string) => `${toFolder(path)}_rels/${path.slice(toFolder(path).length)}.rels`;

/** The texts that cells refer to by number. */
export async function readStrings({ zip, stringsPath }: Workbook): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let collecting = false;
  let phonetic = false;
  let length = 0;
  await parseWholeXml(zip.read(stringsPath ?? ''), {
    open(name) {
      if (name === 'si') current = '';
      if (name === 'rPh') phonetic = true;
      collecting = name === 't' && !phonetic;
    },
    text(text) {
      // One character more than a cell may have, so that the limit is noticed.
      if (collecting) current = (current + text).slice(0, MAX_CELL_LENGTH + 1);
    },
    close(name) {
      collecting = false;
      if (name === 'rPh') phonetic = false;
      if (name !== 'si') return;
      length += current.length;
      if (length > MAX_STRINGS_LENGTH) throw workbookUnusable('The workbook has too much text.');
      strings.push(current);
    },
  });
  return strings;
}

/** The number formats that cells refer to by number. */
export async function readFormats({ zip, stylesPath }: Workbook): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let inCells = false;
  await parseWholeXml(zip.read(stylesPath ?? ''), {
    open(name, attributes) {
      const id = Number(attributes.numFmtId);
      if (name === 'numFmt') codes.set(id, attributes.formatCode ?? '');
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(parseNumberFormat(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}
