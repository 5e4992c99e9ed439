import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { DayField } from './DayField.tsx';

function Screen({ days }: { days: string[] }) {
  const [day, setDay] = useState('2026-03-04');
  const change = (next: string) => {
    days.push(next);
    setDay(next);
  };
  return <DayField label="Day" value={day} onChange={change} />;
}

const type = (value: string) => fireEvent.change(screen.getByLabelText('Day'), { target: { value } });

test('a year counts from its fourth digit, and a day that is left unfinished says so', () => {
  const days: string[] = [];
  render(<Screen days={days} />);
  for (const value of ['0002-11-17', '0020-11-17', '0202-11-17']) type(value);
  expect(days).toEqual([]);
  expect(screen.getByLabelText('Day')).toHaveValue('0202-11-17');
  expect(screen.getByLabelText('Day')).not.toHaveAccessibleDescription();
  fireEvent.blur(screen.getByLabelText('Day'));
  expect(screen.getByLabelText('Day')).toHaveAccessibleDescription('Enter a day from 2000 to 2099');
  type('2026-11-17');
  expect(days).toEqual(['2026-11-17']);
  expect(screen.getByLabelText('Day')).not.toHaveAccessibleDescription();
  type('');
  expect(days).toEqual(['2026-11-17', '']);
});
