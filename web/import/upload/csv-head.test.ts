import { expect, test } from 'vitest';
import { decideColumns, decodeHead, parseFirstRows } from './csv-head.ts';

test.each([
  ['Business Name', 'fixed'],
  [' business  name ;PHONE; Town', 'fixed'],
  ['Phone\tBusiness Name\t\t', 'fixed'],
  ['"Business Name","Address","Import Error"', 'fixed'],
  ['Business Name,Turnover', 'chosen'],
  ['Company;Tel;E-mail', 'chosen'],
  ['Trading Name,"Street, No"', 'chosen'],
  ['Name,Phone', 'chosen'],
  ['Phone,Town', 'chosen'],
  ['Spring list 2026;;\r\n;;\r\nCompany;Tel;Town', 'chosen'],
  ['Spring list 2026\r\nTrading Name,Phone', 'chosen'],
  ['Spring list 2026\r\nPhone,Town', 'chosen'],
  ['PK\x03\x04 a spreadsheet in disguise', 'fixed'],
])('the headings %j', async (header, decision) => {
  expect(await decideColumns(new File([`${header}\r\nx,1\r\n`], 'leads.csv'))).toBe(decision);
});

test('only the beginning of a large file is read', async () => {
  const file = new File([`Business Name\n${'x\n'.repeat(1_000_000)}`], 'leads.csv');
  expect(await decideColumns(file)).toBe('fixed');
});

test('blank lines before the headings, quotes and line breaks within them', () => {
  expect(parseFirstRows('\r\n,,\n"Company ""trading"" name","Street\nand number",Town\nx')).toEqual([
    ['Company "trading" name', 'Street\nand number', 'Town'],
    ['x'],
  ]);
  expect(parseFirstRows('')).toEqual([]);
});

test('every encoding that a spreadsheet writes', () => {
  const utf16 = (text: string, littleEndian: boolean) => {
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
    return new Uint8Array(view.buffer);
  };
  expect(decodeHead(new TextEncoder().encode('\uFEFFCafé'))).toBe('Café');
  expect(decodeHead(utf16('\uFEFFCafé', true))).toBe('Café');
  expect(decodeHead(utf16('\uFEFFCafé', false))).toBe('Café');
  expect(decodeHead(Uint8Array.of(0x43, 0x61, 0x66, 0xe9, 0x73))).toBe('Cafés');
  // Cut within the last character.
  expect(decodeHead(new TextEncoder().encode('Café').slice(0, 4))).toBe('Caf');
});
