import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Link, Router, useLocation } from 'wouter';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { navigateFromScreen } from './dialog-history.ts';
import { goToOrigin, readOrigin } from './origin.ts';

function Screens() {
  const [path, navigate] = useLocation();
  const [finding, setFinding] = useState(false);
  return (
    <>
      <output>{path}</output>
      <Link href="/business/1">First</Link>
      <Link href="/business/2">Second</Link>
      <button type="button" onClick={() => navigate('?tab=notes', { replace: true })}>
        Notes
      </button>
      <button type="button" onClick={() => setFinding(true)}>
        Find
      </button>
      <Dialog open={finding} onClose={() => setFinding(false)} title="Find">
        <button
          type="button"
          onClick={() => {
            setFinding(false);
            navigate('/business/3');
          }}
        >
          Found
        </button>
      </Dialog>
    </>
  );
}

function open(path: string) {
  window.history.pushState(null, '', path);
  render(
    <Router aroundNav={navigateFromScreen}>
      <Screens />
    </Router>,
  );
}
const follow = (name: string) => userEvent.click(screen.getByRole('link', { name }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const expectUrl = (url: string) => waitFor(() => expect(window.location.pathname + window.location.search).toBe(url));

test('screens of one kind keep the origin of the first, and going back is one step for all of them', async () => {
  open('/today?section=due');
  expect(goToOrigin()).toBe(false);
  await follow('First');
  await press('Notes');
  await follow('Second');
  expect(readOrigin()?.path).toBe('/today?section=due');
  expect(goToOrigin()).toBe(true);
  await expectUrl('/today?section=due');
});

test('what a dialog opened goes back to the screen below the dialog', async () => {
  open('/duplicates?page=2');
  await press('Find');
  await press('Found');
  await expectUrl('/business/3');
  expect(readOrigin()?.path).toBe('/duplicates?page=2');
  // A dialog that was open since has an entry of its own.
  await press('Find');
  await userEvent.keyboard('{Escape}');
  goToOrigin();
  await expectUrl('/duplicates?page=2');
});
