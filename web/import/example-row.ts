import type { ImportColumn } from '#contract/import/csv-row.ts';

export const EXAMPLE_ROW: Record<ImportColumn, string> = {
  'Business Name': 'Blue Door Bakery',
  Address: '12 High Street, Harrogate HG1 1AA',
  Town: 'Harrogate',
  'Contact Name': 'Bea Baker',
  Phone: '01632 960123',
  'Email Address': 'bea@bluedoor.example',
  Website: 'https://bluedoor.example',
  User: '',
  'Custom Tag': 'Bakery, Spring campaign',
};

export const MEANING: Record<ImportColumn, string> = {
  'Business Name': 'Required.',
  Address: 'Optional.',
  Town: 'Optional. Added to the address when it is not in it.',
  'Contact Name': 'Optional.',
  Phone: 'Optional. Digits, spaces and + ( ) - . / # x ext.',
  'Email Address': 'Optional. One valid address.',
  Website: 'Optional. https:// is added when it is missing.',
  User: 'Optional. The username of who gets the lead; empty means you.',
  'Custom Tag': 'Optional. Several tags are separated by commas.',
};
