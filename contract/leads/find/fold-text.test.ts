import { expect, test } from 'vitest';
import { foldText, foldWithPositions } from './fold-text.ts';

test.each([
  { text: 'Crème & Co', folded: 'creme co' },
  { text: 'Cre\u0300me', folded: 'creme' },
  { text: "Saddler's Arms", folded: 'saddlers arms' },
  { text: 'Saddler’s', folded: 'saddlers' },
  { text: 'Björk Øl ÆRØ Łódź Straße İstanbul', folded: 'bjork ol aero lodz strasse istanbul' },
  { text: '  Smith (Leeds) -- Ltd. ', folded: 'smith leeds ltd' },
  { text: 'orla@corner.example', folded: 'orla corner example' },
  { text: '100%_\\ off', folded: '100 off' },
  { text: '&', folded: '' },
  { text: '東京「カフェ」', folded: '東京 カフェ' },
])('"$text" is compared as "$folded"', ({ text, folded }) => {
  expect(foldText(text)).toBe(folded);
});

test.each(["Saddler's Crème", 'Straße 12', 'a – b', '', "''", 'Cre\u0300me & Co. ', '👍 ok'])(
  'every character of the folded "%s" has a position in it',
  (text) => {
    const { folded, positions } = foldWithPositions(text);
    expect(folded.trim()).toBe(foldText(text));
    expect(positions).toHaveLength(folded.length + 1);
    expect(positions.at(-1)).toBe(text.length);
  },
);
