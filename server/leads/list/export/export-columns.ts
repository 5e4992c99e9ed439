import { OBJECTION_CHANNEL_LABEL, objectionChannel } from '#contract/contact-rules/objection.ts';
import type { TeamFormat } from '#contract/format.ts';
import { IMPORT_COLUMNS } from '#contract/import/import-target.ts';
import { DETAIL_FIELDS, DETAIL_KEYS } from '#contract/leads/fields/detail-fields.ts';
import type { ExportedTitle } from '#contract/leads/fields/lead-fields.ts';
import { READ_ONLY_EXPORTS } from '#contract/leads/fields/read-only-fields.ts';
import type { WORKING_FIELDS } from '#contract/leads/fields/working-fields.ts';
import { IMPORTED_TAG, LEAD_STATUS_LABEL } from '#contract/leads/lead.ts';
import { type OwnField, writeValue } from '#contract/leads/own-fields/own-field.ts';
import type { ExportedLead } from './lead-export.sql.ts';

type ToText = (lead: ExportedLead, team: TeamFormat) => string | null;
type WorkingTitle = NonNullable<(typeof WORKING_FIELDS)[keyof typeof WORKING_FIELDS]['exported']>;

const WORKING_TEXTS: Record<WorkingTitle, ToText> = {
  'Business Name': ({ name }) => name,
  Address: ({ address }) => address,
  Town: ({ town }) => town,
  'Business Type': ({ type }) => type,
  Phone: ({ phone }) => phone,
  Website: ({ website }) => website,
  User: ({ username }) => username,
  'Custom Tag': ({ tags }) => tags.filter((tag) => tag !== IMPORTED_TAG).join(', '),
  Status: ({ status }) => LEAD_STATUS_LABEL[status],
  Archived: ({ archived }) => (archived ? 'yes' : 'no'),
  'Existing Customer': ({ existingCustomer }) => (existingCustomer ? 'yes' : 'no'),
};

const TEXTS = {
  ...WORKING_TEXTS,
  // As it is stored, so that it can be imported again.
  ...Object.fromEntries(
    DETAIL_KEYS.map((key): [string, ToText] => [
      DETAIL_FIELDS[key].exported,
      ({ customFields }) => customFields[key] ?? null,
    ]),
  ),
  ...Object.fromEntries(READ_ONLY_EXPORTS.map(({ title, toText }): [string, ToText] => [title, toText])),
} as Record<ExportedTitle, ToText>; // working fields, details and read-only fields are all there are

// The first titles are those of the import, so that an export can be imported.
const FIRST_TITLES: ExportedTitle[] = [
  ...IMPORT_COLUMNS,
  'Status',
  'Date Assigned',
  'Last Contact',
  'Archived',
  'Existing Customer',
  'Value',
  'Source',
];

/** Later columns are added at the end, because spreadsheets refer to columns by their position. */
const EXPORT_TITLES = [...new Set([...FIRST_TITLES, ...(Object.keys(TEXTS) as ExportedTitle[])])];

/** Files get passed on, and must not lose what somebody objected to. */
const listObjected = ({ objections }: ExportedLead) =>
  objectionChannel.options
    .filter((channel) => objections.some((objection) => objection.channel === channel))
    .map((channel) => OBJECTION_CHANNEL_LABEL[channel])
    .join(', ');

/** The titles of a file, and what makes its cells. The team's own fields come last, in their order, without those that are archived. */
export function createExportColumns(fields: OwnField[], team: TeamFormat) {
  const own = fields.filter(({ archived }) => !archived);
  return {
    titles: [...EXPORT_TITLES, 'Do Not Contact', ...own.map(({ name }) => name)],
    toCells: (lead: ExportedLead) => [
      ...EXPORT_TITLES.map((title) => TEXTS[title](lead, team)),
      listObjected(lead),
      ...own.map((field) => writeValue(field, lead.ownFields[field.id])),
    ],
  };
}
