import { type ImportJob, type ImportPreview, NO_CHOICES } from '#contract/import/import-job.ts';
import { ada } from './fixtures.ts';

/** An import of a workbook by Ada, which waits for its columns. */
export const anImport = (job: Partial<ImportJob> = {}): ImportJob => ({
  id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  fileName: 'leads.xlsx',
  state: 'mapping',
  importedBy: ada.fullName,
  createdAt: '2026-03-04T12:00:00.000Z',
  finishedAt: null,
  sheets: ['Leads', 'Archive'],
  sheet: 'Leads',
  headerRow: 1,
  columns: [
    { heading: 'Company', samples: ['Blue Door Bakery', 'Crag Books'], target: 'Business Name' },
    { heading: 'Tel', samples: ['01632 960123'], target: 'Phone' },
    { heading: 'Turnover', samples: [], target: 'Ignore' },
  ],
  remembered: false,
  progress: { share: 0, rows: 0 },
  preview: null,
  choices: NO_CHOICES,
  counts: { total: 0, successful: 0, failed: 0, created: 0, alreadyThere: 0, repeated: 0 },
  message: null,
  canContinue: false,
  batchId: null,
  correctable: 0,
  ...job,
});

export const aPreview = (preview: Partial<ImportPreview> = {}): ImportPreview => ({
  rows: 10,
  newBusinesses: 6,
  newLeads: 7,
  alreadyThere: 1,
  repeated: 1,
  refused: 1,
  undecided: 0,
  refusedRows: [],
  unknownUsers: [],
  newTags: [],
  newTagCount: 0,
  newChoices: [],
  lookAlikes: [],
  lookAlikeCounts: { unclaimed: 0, held: 0, phone: 0, file: 0 },
  withoutUser: { rows: 0, shares: [] },
  ...preview,
});

/** As the list has it. */
export function aListedImport(job: Partial<ImportJob> = {}): Omit<ImportJob, 'columns' | 'preview' | 'choices'> {
  const { columns: _columns, preview: _preview, choices: _choices, ...listed } = anImport(job);
  return listed;
}
