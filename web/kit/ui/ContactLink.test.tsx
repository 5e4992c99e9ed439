import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Barrier, ContactButton, ContactIcon, ContactLink } from './ContactLink.tsx';

const PHONE = '020 7946 0018';
const REASON = 'Asked not to be called on Nov 3, 2026. Only an administrator can lift this.';
const closed: Barrier = { label: 'Do not call', reason: REASON, question: null };
const passable: Barrier = { ...closed, question: 'Call all the same?' };

test('links numbers and addresses, and shows anything else as text', () => {
  render(
    <>
      <ContactLink means="call" to={PHONE} />
      <ContactLink means="call" to="javascript:1" />
      <ContactLink means="email" to="help@example.com" />
      <ContactLink means="email" to="help@example.com?cc=all" />
    </>,
  );
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    'tel:02079460018',
    'mailto:help@example.com',
  ]);
  expect(screen.getByText('javascript:1')).toBeVisible();
});

test('what must not be used is text, with the reason, and no button nor icon', () => {
  render(
    <>
      <ContactLink means="call" to={PHONE} barrier={closed} />
      <ContactButton means="call" to={PHONE} barrier={closed}>
        Call
      </ContactButton>
      <ContactIcon means="call" to={PHONE} barrier={closed} title="Call" label="Call the shop" />
    </>,
  );
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.getByText(PHONE)).toBeVisible();
  expect(screen.getByText('Do not call')).toBeVisible();
  expect(screen.getByText(REASON)).toBeInTheDocument();
});

test.each([true, false])('what needs a question is opened by its answer alone: %s', async (answer) => {
  const confirm = vi.spyOn(window, 'confirm').mockReturnValue(answer);
  const opened: boolean[] = [];
  const onOpen = vi.fn();
  render(
    <ContactButton means="call" to={PHONE} barrier={passable} onOpen={onOpen}>
      Call
    </ContactButton>,
  );
  document.body.addEventListener(
    'click',
    (event) => {
      opened.push(!event.defaultPrevented);
      event.preventDefault(); // the test has no phone
    },
    { once: true },
  );

  await userEvent.click(screen.getByRole('link', { name: 'Call' }));

  expect(confirm).toHaveBeenCalledWith('Call all the same?');
  expect(opened).toEqual([answer]);
  expect(onOpen).toHaveBeenCalledTimes(answer ? 1 : 0);
});
