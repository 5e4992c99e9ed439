import { z } from 'zod';
import { line } from '../../fields.ts';
import type { TeamFormat } from '../../format.ts';
import { canChangeLead } from '../lead-policy.ts';
import { amount, formatAmount } from './amount.ts';
import { type DetailField, listHeadings } from './lead-field.ts';

const emailOrEmpty = z.union([z.literal(''), z.string().trim().max(254).pipe(z.email('Must be a valid email'))]);

const detail = { of: 'lead', logged: true, mayChange: canChangeLead, filters: [], sorts: null } as const;
const asStored = (value: string) => value;

export const DETAIL_FIELDS = {
  email: {
    ...detail,
    label: 'Email',
    schema: z.string().trim().pipe(emailOrEmpty),
    format: asStored,
    table: { id: 'email', label: 'Email', width: 190 },
    imported: {
      column: 'Email Address',
      headings: listHeadings(
        'email address, email, e mail, e mail address, emails, business email, company email, work email, email work',
        'primary email, contact email, mail, email home, email other',
      ),
      several: 'first',
    },
    exported: 'Email Address',
    filters: ['hasEmail'],
    mergeLabel: 'E-mail',
  },
  contactPerson: {
    ...detail,
    label: 'Contact person',
    schema: line(200, 'Contact person'),
    format: asStored,
    table: { id: 'person', label: 'Contact person', width: 160 },
    imported: {
      column: 'Contact Name',
      headings: listHeadings(
        'contact name, contact person, person name, contact, primary contact, main contact, key contact, spoke to',
        'spoke with, speak to, ask for, full name, owner name, manager name, proprietor, decision maker, first name',
        'forename, given name, last name, surname, family name, name, who',
      ),
      several: 'joined',
    },
    exported: 'Contact Name',
    mergeLabel: 'Contact person',
  },
  /** Of the deal, in whole units of the team's currency. */
  value: {
    ...detail,
    label: 'Value',
    schema: amount('Value'),
    format: (units: string, { currency }: TeamFormat) => formatAmount(units, currency),
    table: { id: 'value', label: 'Value', width: 120 },
    imported: {
      column: 'Value',
      headings: listHeadings(
        'value, deal value, lead value, opportunity value, contract value, estimated value, potential value',
        'amount, deal amount, opportunity amount',
      ),
      several: null,
    },
    exported: 'Value',
    mergeLabel: 'Value',
  },
} as const satisfies Record<string, DetailField>;

export type DetailKey = keyof typeof DETAIL_FIELDS;

/** The details of a lead that are filled. */
export type Details = Partial<Record<DetailKey, string>>;

export const DETAIL_KEYS = Object.keys(DETAIL_FIELDS) as DetailKey[]; // the keys of a literal

/** An object with a value for each detail. */
export const mapDetails = <T>(toValue: (field: DetailField, key: DetailKey) => T) =>
  Object.fromEntries(DETAIL_KEYS.map((key) => [key, toValue(DETAIL_FIELDS[key], key)])) as Record<DetailKey, T>;

export type DetailColumn = (typeof DETAIL_FIELDS)[DetailKey]['table']['id'];

/** The details by the ids of their table columns. */
export const DETAIL_OF_COLUMN = Object.fromEntries(
  DETAIL_KEYS.map((key) => [DETAIL_FIELDS[key].table.id, key]),
) as Record<DetailColumn, DetailKey>;

export const isDetailColumn = (id: string): id is DetailColumn => Object.hasOwn(DETAIL_OF_COLUMN, id);
