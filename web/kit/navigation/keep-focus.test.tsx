import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { keepFocus } from './keep-focus.ts';

function Rows({ names }: { names: string[] }) {
  const [left, setLeft] = useState(names);
  return (
    <main>
      <h1 tabIndex={-1}>Today</h1>
      <ul>
        {left.map((name) => (
          <li key={name}>
            <a href={`/${name}`}>{name}</a>
            <button type="button" onClick={() => setLeft(left.filter((other) => other !== name))}>
              Done with {name}
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}

function Swap() {
  const [planned, setPlanned] = useState(true);
  const [moving, setMoving] = useState(false);
  return (
    <main>
      {planned ? (
        <button type="button" onClick={() => setPlanned(false)}>
          Drop
        </button>
      ) : (
        <button type="button">Plan</button>
      )}
      <button type="button" onClick={() => setMoving(true)}>
        Move
      </button>
      {moving && (
        <button type="button" onClick={() => setMoving(false)}>
          Tomorrow
        </button>
      )}
    </main>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test('a removed row gives the focus to the next one, the last to the one before, and the only one to the heading', async () => {
  onTestFinished(keepFocus());
  render(<Rows names={['a', 'b', 'c']} />);
  await press('Done with b');
  expect(screen.getByRole('link', { name: 'c' })).toHaveFocus();
  await press('Done with c');
  expect(screen.getByRole('button', { name: 'Done with a' })).toHaveFocus();
  await press('Done with a');
  expect(screen.getByRole('heading')).toHaveFocus();
});

test('what takes the place of a button gets its focus; what closes gives it to the control before', async () => {
  onTestFinished(keepFocus());
  render(<Swap />);
  await press('Drop');
  expect(screen.getByRole('button', { name: 'Plan' })).toHaveFocus();
  await press('Move');
  await press('Tomorrow');
  expect(screen.getByRole('button', { name: 'Move' })).toHaveFocus();
});

test('a click beside every control takes the focus away for good', async () => {
  onTestFinished(keepFocus());
  const { container } = render(<Swap />);
  await press('Move');
  act(() => screen.getByRole('button', { name: 'Drop' }).focus());
  await userEvent.click(container);
  expect(document.body).toHaveFocus();
});
