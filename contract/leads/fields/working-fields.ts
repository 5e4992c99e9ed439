import { canChangeLead, canReassignLead } from '../lead-policy.ts';
import { listHeadings, type WorkingField } from './lead-field.ts';

const lead = { of: 'lead', logged: true, mayChange: canChangeLead } as const;
const business = { of: 'business', logged: true, mayChange: canChangeLead } as const;
const hidden = { table: null, imported: null, exported: null, filters: [], sorts: null } as const;

/** The fields with a screen and a call of their own. How the server restores each is in server/changes. */
export const WORKING_FIELDS = {
  status: {
    ...lead,
    ...hidden,
    label: 'Status',
    table: { id: 'status', label: 'Status', width: 140 },
    exported: 'Status',
    filters: ['status', 'hideClosed'],
    sorts: ['status', 'status-desc'],
  },
  archived: { ...lead, ...hidden, label: 'Archive', exported: 'Archived', filters: ['archived'] },
  existingCustomer: {
    ...lead,
    ...hidden,
    label: 'Existing customer',
    exported: 'Existing Customer',
    filters: ['existing', 'customers'],
  },
  holder: {
    ...lead,
    ...hidden,
    label: 'Assigned to',
    mayChange: canReassignLead,
    table: { id: 'holder', label: 'Assigned To', width: 140 },
    imported: {
      column: 'User',
      row: 'username',
      headings: listHeadings(
        'user, username, assigned to, assigned user, assignee, owner, account owner, lead owner, company owner',
        'contact owner, record owner, account manager, sales rep, salesperson, rep',
      ),
      several: null,
    },
    exported: 'User',
    filters: ['user', 'team'],
  },
  tag: {
    ...lead,
    ...hidden,
    label: 'Tag',
    table: { id: 'tags', label: 'Tags', width: 180 },
    imported: {
      column: 'Custom Tag',
      row: 'tags',
      headings: listHeadings('custom tag, custom tags, tag, tags, label, labels, category, categories'),
      several: 'joined',
    },
    exported: 'Custom Tag',
    filters: ['tags', 'hasTag'],
  },
  notes: {
    ...lead,
    ...hidden,
    label: 'Notes',
    imported: {
      column: 'Note',
      row: 'notes',
      headings: listHeadings(
        'note, notes, comment, comments, remark, remarks, description, details, memo, job title, role, position',
        'lead source, lead status, status, account source, opening hours, hours, employees, number of employees',
        'company number, company category, company status, sic code sic text, sic text, last call, called, outcome, result',
        'social medias, facebook, instagram, linkedin, twitter',
      ),
      several: 'joined',
    },
    // Not exported, because files get passed on.
  },
  followUp: {
    ...lead,
    ...hidden,
    label: 'Follow-up',
    table: { id: 'next', label: 'Next follow-up', width: 190 },
    filters: ['followUp', 'attention'],
    sorts: ['follow-up', 'follow-up-desc'],
  },
  /** Each field of the team's own: which it is, is the item of its change. */
  ownField: { ...lead, ...hidden, label: 'Field' },
  name: {
    ...business,
    ...hidden,
    label: 'Business Name',
    logged: false,
    mayChange: null,
    table: { id: 'name', label: 'Business Name', width: 260 },
    imported: {
      column: 'Business Name',
      row: 'name',
      headings: listHeadings(
        'business name, company name, trading name, trading as, organisation name, organization name, account name',
        'establishment name, shop name, store name, practice name, venue name, customer name, client name, place name',
        'associated company, company account, business, company, organisation, organization, establishment, shop, store',
        'premises, venue, firm, account, customer, client, name, title',
      ),
      several: null,
    },
    exported: 'Business Name',
    filters: ['q'],
    sorts: ['name', 'name-desc'],
  },
  address: {
    ...business,
    ...hidden,
    label: 'Address',
    logged: false,
    mayChange: null,
    table: { id: 'address', label: 'Address', width: 260 },
    imported: {
      column: 'Address',
      row: 'address',
      headings: listHeadings(
        'address, full address, fulladdress, street address, business address, company address, postal address, street',
        'street name, road, address line, house number',
      ),
      several: 'joined',
    },
    exported: 'Address',
    filters: ['district', 'hasDistrict'],
  },
  phone: {
    ...business,
    ...hidden,
    label: 'Phone',
    table: { id: 'phone', label: 'Phone', width: 130 },
    imported: {
      column: 'Phone',
      row: 'phone',
      headings: listHeadings(
        'phone, phone number, telephone, telephone number, tel, tel no, tel number, telephone no, phone no, phones',
        'business phone, company phone, main phone, work phone, phone work, primary phone, office phone, landline',
        'contact number, contact phone, mobile, mobile phone, mobile number, mobile no, mobile phone number',
        'phone mobile, cell, cell phone, phone home, phone other',
      ),
      several: 'first',
    },
    exported: 'Phone',
    filters: ['hasPhone'],
  },
  wrongPhone: { ...business, ...hidden, label: 'Wrong number' },
  website: {
    ...business,
    ...hidden,
    label: 'Website',
    table: { id: 'website', label: 'Website', width: 200 },
    imported: {
      column: 'Website',
      row: 'website',
      headings: listHeadings(
        'website, web site, website url, web address, web page, homepage, web, site, domain, company domain name',
        'company domain, domain name, url',
      ),
      several: 'first',
    },
    exported: 'Website',
    filters: ['hasWebsite'],
  },
  town: {
    ...business,
    ...hidden,
    label: 'Town',
    mayChange: null,
    imported: {
      column: 'Town',
      row: 'town',
      headings: listHeadings(
        'town, city, town city, city town, town or city, post town, locality, municipality, location',
      ),
      several: null,
    },
    exported: 'Town',
    filters: ['town'],
    sorts: ['town', 'town-desc'],
  },
  /** A type of the search, by its label. */
  type: {
    ...business,
    ...hidden,
    label: 'Type of business',
    table: { id: 'type', label: 'Type', width: 160 },
    imported: {
      column: 'Business Type',
      row: 'businessType',
      headings: listHeadings(
        'business type, type of business, industry, sector, trade, category name, main category, primary category',
        'business category, nature of business, type',
      ),
      several: null,
    },
    exported: 'Business Type',
    filters: ['types', 'hasType'],
  },
} as const satisfies Record<string, WorkingField>;

type Imported = NonNullable<(typeof WORKING_FIELDS)[keyof typeof WORKING_FIELDS]['imported']>;
/** What a parsed row of a file must have. */
export type ImportedRowKey = Imported['row'];
