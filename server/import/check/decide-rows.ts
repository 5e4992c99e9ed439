import type { DuplicateMatch } from '#contract/duplicates/duplicate.ts';
import { DEFAULT_DECISION, type ImportChoices, type LookAlike, type RowDecision } from '#contract/import/import-job.ts';
import type { PlacedRow } from '#server/import/run/import-rows.ts';
import type { Holder } from './check-import.sql.ts';
import type { FileMatch } from './file-look-alikes.ts';

/** What is known about a row when it is decided about. */
export interface FoundRow extends PlacedRow {
  userId: number;
  /** Of its own business, if that is stored. */
  storedId: number | undefined;
  /** The stored business that it looks like. */
  match: DuplicateMatch | undefined;
  /** The row before that it looks like. */
  fileMatch: FileMatch | undefined;
  /** Who works the stored business. */
  holders: Holder[];
}

export interface DecidedRow {
  lookAlike: LookAlike | undefined;
  /** The existing business that gets the lead. */
  businessId: number | undefined;
  /** Whether the row adds no lead. */
  leftOut: boolean;
}

/** Decides about rows by what they look like and what the administrator chose. */
export function createDecider({ decisions, exceptions }: Pick<ImportChoices, 'decisions' | 'exceptions'>) {
  const byRow = new Map(exceptions.map(({ row, decision }) => [row, decision]));

  const decideAbout = ({ row, kind }: Undecided): RowDecision | null =>
    byRow.get(row) ?? decisions[kind] ?? DEFAULT_DECISION[kind];

  return (found: FoundRow): DecidedRow => {
    const [inFile, stored] = [describeInFile(found), describeStored(found)];
    // New businesses may still be one.
    const lookAlike = stored && inFile && decideAbout(stored) === 'new' ? inFile : (stored ?? inFile);
    if (!lookAlike) return { lookAlike, businessId: found.storedId, leftOut: false };
    const decision = decideAbout(lookAlike);
    const businessId = decision === 'new' ? found.storedId : (found.storedId ?? found.match?.businessId);
    return {
      lookAlike: { ...lookAlike, decision },
      businessId,
      leftOut: decision === null || decision === 'leave',
    };
  };
}

type Undecided = Omit<LookAlike, 'decision'>;

function describeInFile({ row, values, fileMatch }: FoundRow): Undecided | undefined {
  if (!fileMatch) return undefined;
  const { placeId: _placeId, ...match } = fileMatch;
  return { row, name: values.name, kind: 'file', match, holder: null };
}

function describeStored(found: FoundRow): Undecided | undefined {
  const { row, values, storedId, match, holders } = found;
  const others = holders.some(({ userId }) => userId === found.userId) ? [] : holders;
  const [first] = others;
  const base = {
    ...{ row, name: values.name },
    holder: first ? { name: first.name, status: first.status, others: others.length - 1 } : null,
  };
  if (storedId !== undefined) {
    const { name, town } = values;
    const itself = { businessId: storedId, row: null, name, town, reasons: [], score: 1 };
    return first && { ...base, kind: 'held', match: itself };
  }
  if (!match) return undefined;
  const byPhoneAlone = match.reasons.every((reason) => reason === 'phone');
  const kind = byPhoneAlone ? 'phone' : first ? 'held' : 'unclaimed';
  return { ...base, kind, match: { ...match, row: null } };
}
