import { expect, test } from 'vitest';
import { cutExcerpt, explainMatch, type FindableLead } from './lead-match.ts';

const kettle: FindableLead = {
  name: 'The Copper Kettle',
  town: 'Harrogate',
  address: '4 Parliament Street, Harrogate HG12AB, UK',
  phone: '01423 496 0716',
  internationalPhone: '+44 1423 496 0716',
  email: 'anna@kettle.example',
  contactPerson: 'Anna Björk',
  notes: 'Asked for a quote.\nThe roof terrace opens in spring; ring the décorator first.',
  ownTexts: [
    { name: 'Current supplier', text: 'Böhm & Söhne' },
    { name: 'Menu', text: `${'Pies and cakes. '.repeat(20)}Marzipan on request.` },
  ],
};

test.each([
  { query: 'copper', field: 'name', text: 'The Copper Kettle' },
  { query: 'opper ket', field: 'name', text: 'The Copper Kettle' },
  { query: 'kettle cop', field: 'name', text: 'The Copper Kettle' },
  { query: 'copper harr', field: 'town', text: 'Harrogate' },
  { query: '0716', field: 'phone', text: '01423 496 0716' },
  { query: '+44 (0)1423 4960716', field: 'phone', text: '01423 496 0716' },
  { query: 'copper 01423', field: 'phone', text: '01423 496 0716' },
  { query: 'hg1', field: 'postcode', text: 'HG1 2AB' },
  { query: 'hg12ab', field: 'postcode', text: 'HG1 2AB' },
  { query: 'copper hg1 2', field: 'postcode', text: 'HG1 2AB' },
  { query: 'bjork', field: 'contactPerson', text: 'Anna Björk' },
  { query: 'anna@kettle', field: 'email', text: 'anna@kettle.example' },
  {
    query: 'decorator',
    field: 'notes',
    text: '…roof terrace opens in spring; ring the décorator first.',
  },
])('"$query" found the lead by its $field', ({ query, field, text }) => {
  expect(explainMatch(query, kettle)).toEqual({ field, text });
});

test.each([
  { query: 'coper', field: 'name' },
  { query: 'coper harrogte', field: 'town' },
  { query: 'bjrok', field: 'contactPerson' },
])('"$query", with typing errors, found the lead by its $field', ({ query, field }) => {
  expect(explainMatch(query, kettle, 'similar')).toMatchObject({ field });
});

test('the match in a field of the team has its name, and the words around it', () => {
  expect(explainMatch('bohm', kettle)).toEqual({ field: 'ownField', name: 'Current supplier', text: 'Böhm & Söhne' });
  const { name, text } = explainMatch('kettle marzi', kettle);
  expect(name).toBe('Menu');
  expect(text).toMatch(/^….*Marzipan on request\.$/);
});

test('an excerpt is cut between words, and says so', () => {
  const note = `${'before '.repeat(30)}needle ${'after '.repeat(40)}`;
  const excerpt = cutExcerpt(note, ['needle']);
  expect(excerpt).toMatch(/^…(before )+needle( after)+…$/);
  expect(excerpt.length).toBeLessThan(150);
  expect(cutExcerpt('needle', ['needle'])).toBe('needle');
  expect(cutExcerpt('x'.repeat(300), ['xx'])).toHaveLength(141);
});
