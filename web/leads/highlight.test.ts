import { expect, test } from 'vitest';
import type { MatchedField } from '#contract/leads/find/lead-match.ts';
import { splitMatches } from './highlight.ts';

test.each<{ field: MatchedField; text: string; query: string; marked: string }>([
  { field: 'name', text: 'Blue Door Bakery', query: 'door', marked: 'Blue [Door] Bakery' },
  { field: 'name', text: 'Blue Door Bakery', query: 'blue door', marked: '[Blue Door] Bakery' },
  { field: 'name', text: 'Smith (Leeds) Ltd.', query: '(leeds)', marked: 'Smith [(Leeds)] Ltd.' },
  { field: 'name', text: 'Blue Door Bakery', query: '???', marked: 'Blue Door Bakery' },
  { field: 'phone', text: '0114 496 0716', query: '0716', marked: '0114 496 [0716]' },
  { field: 'phone', text: '0114 496 0716', query: '+44 (0)114 4960716', marked: '0[114 496 0716]' },
  { field: 'phone', text: '0114 496 0716', query: '9999', marked: '0114 496 0716' },
  { field: 'postcode', text: 'S1 2PP', query: 's1', marked: '[S1 2PP]' },
  {
    field: 'notes',
    text: 'The roof terrace opens in spring',
    query: 'spring terr',
    marked: 'The roof [terr]ace opens in [spring]',
  },
  { field: 'name', text: 'Acorn Café', query: 'corn cafe', marked: 'A[corn Café]' },
  { field: 'contactPerson', text: 'Anna Björk', query: 'bjork', marked: 'Anna [Björk]' },
  { field: 'name', text: "Saddler's Arms", query: 'saddlers', marked: "[Saddler's] Arms" },
  { field: 'name', text: "Saddler's Arms", query: 'arms saddler', marked: "[Saddler]'s [Arms]" },
  { field: 'town', text: 'Bristol', query: 'bakery bri', marked: '[Bri]stol' },
  { field: 'name', text: 'Copper Kettle', query: 'coper', marked: 'Copper Kettle' },
  { field: 'email', text: 'orla@corner.example', query: 'orla@', marked: '[orla@]corner.example' },
])('"$query" is marked in "$text" as $marked', ({ field, text, query, marked }) => {
  const parts = splitMatches(text, query, field);
  expect(parts.map((part) => (part.marked ? `[${part.text}]` : part.text)).join('')).toBe(marked);
});
