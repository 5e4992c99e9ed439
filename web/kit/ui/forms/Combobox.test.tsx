import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Combobox } from './Combobox.tsx';

const FRUIT = ['apple', 'apricot', 'banana'];

function Fruit({ onSelect }: { onSelect?: (fruit: string) => void }) {
  const [value, setValue] = useState('');
  const suggestions = value ? FRUIT.filter((fruit) => fruit.includes(value)) : [];
  return (
    <Combobox
      label="Fruit"
      value={value}
      onChange={setValue}
      suggestions={suggestions}
      {...(onSelect && { onSelect })}
    />
  );
}

const input = () => screen.getByRole('combobox', { name: 'Fruit' });

test('leaving the field and Escape keep the typed text, even with an active suggestion', async () => {
  render(<Fruit />);
  await userEvent.type(input(), 'ap{ArrowDown}');
  expect(screen.getByRole('option', { name: 'apple', selected: true })).toBeVisible();
  await userEvent.tab();
  expect(input()).toHaveValue('ap');
  expect(screen.queryByRole('option')).toBeNull();

  await userEvent.type(input(), 'r{ArrowDown}{Escape}{Escape}');
  expect(input()).toHaveValue('apr');
  expect(input()).toHaveAttribute('aria-expanded', 'false');
});

test('a click into the field opens nothing; text in the middle is edited in place', async () => {
  render(<Fruit />);
  await userEvent.type(input(), 'ale{Escape}');
  await userEvent.click(input());
  expect(input()).toHaveAttribute('aria-expanded', 'false');
  await userEvent.type(input(), 'pp', { initialSelectionStart: 1 });
  expect(input()).toHaveValue('apple');
  expect(input()).toHaveAttribute('aria-expanded', 'true');
});

test('picking the same suggestion twice calls onSelect twice', async () => {
  const selected: string[] = [];
  render(<Fruit onSelect={(fruit) => selected.push(fruit)} />);
  await userEvent.type(input(), 'ban');
  await userEvent.click(screen.getByRole('option', { name: 'banana' }));
  expect(input(), 'onSelect replaces the default').toHaveValue('ban');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(selected).toEqual(['banana', 'banana']);
});
