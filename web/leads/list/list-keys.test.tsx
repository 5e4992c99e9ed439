import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getLead } from '#contract/leads/leads.calls.ts';
import { ada, aLeadItem } from '#web/testing/fixtures.ts';
import { enableKeys } from '#web/testing/keyboard.ts';
import { openList } from '#web/testing/lead-list.tsx';
import { aProfile } from '#web/testing/lead-profile.tsx';

const ITEMS = [1, 2, 3, 4].map((n) => aLeadItem(n, {}, { name: `Shop ${n}` }));
const focusedText = () => document.activeElement?.textContent;
const selected = () =>
  screen
    .getAllByRole('checkbox', { name: /^Select Shop/ })
    .flatMap((box, index) => ((box as HTMLInputElement).checked ? [index + 1] : []));

async function openWithKeys(view: 'List' | 'Table') {
  enableKeys();
  const opened = await openList(ITEMS);
  if (view === 'Table') await userEvent.click(screen.getByRole('tab', { name: 'Table' }));
  (document.activeElement as HTMLElement).blur();
  return opened;
}

test.each(['List', 'Table'] as const)(
  'in the %s j and k, ↓ and ↑ move along the leads and stop at the ends',
  async (view) => {
    await openWithKeys(view);
    await userEvent.keyboard('j');
    expect(focusedText()).toBe('Shop 1');
    await userEvent.keyboard('j{ArrowDown}');
    expect(focusedText()).toBe('Shop 3');
    await userEvent.keyboard('k{ArrowUp}{ArrowUp}');
    expect(focusedText()).toBe('Shop 1');
    await userEvent.keyboard('jjjjjj');
    expect(focusedText()).toBe('Shop 4');
  },
);

test.each(['List', 'Table'] as const)('in the %s x selects the lead, Shift X the range', async (view) => {
  await openWithKeys(view);
  await userEvent.keyboard('x');
  expect(selected()).toEqual([]);
  await userEvent.keyboard('jx');
  expect(selected()).toEqual([1]);
  await userEvent.keyboard('x');
  expect(selected()).toEqual([]);
  await userEvent.keyboard('xjj{Shift>}x{/Shift}');
  expect(selected()).toEqual([1, 2, 3]);
});

test('Shift and arrows select while they move', async () => {
  await openWithKeys('List');
  await userEvent.keyboard('j{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  expect(selected()).toEqual([1, 2, 3]);
  expect(focusedText()).toBe('Shop 3');
  await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}');
  expect(focusedText()).toBe('Shop 2');
});

test('Enter opens the lead, from its checkbox too', async () => {
  await openWithKeys('List');
  await userEvent.keyboard('jj{Enter}');
  expect(window.location.pathname).toBe(`/business/uuid/${ITEMS[1]?.userBusiness.uuid}`);
  window.history.pushState(null, '', '/crm');
  within(screen.getByRole('article', { name: 'Shop 3' }))
    .getByRole('checkbox')
    .focus();
  await userEvent.keyboard('{Enter}');
  expect(window.location.pathname).toBe(`/business/uuid/${ITEMS[2]?.userBusiness.uuid}`);
});

test('arrows belong to a control that has the focus, and no key moves while the name is typed', async () => {
  await openWithKeys('List');
  const status = screen.getByRole('combobox', { name: 'Lead Status' });
  status.focus();
  await userEvent.keyboard('{ArrowDown}j');
  expect(status).toHaveFocus();
  const name = screen.getByRole('searchbox');
  await userEvent.type(name, 'jkx');
  expect(name).toHaveFocus();
  expect(selected()).toEqual([]);
});

test.each(['List', 'Table'] as const)('in the %s l logs a contact with the lead', async (view) => {
  const { server } = await openWithKeys(view);
  server.responds(getLead.byUuid, aProfile());
  await userEvent.keyboard('l');
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.keyboard('jjl');
  expect(await screen.findByRole('dialog', { name: 'Log contact' })).toHaveAccessibleDescription('Shop 2');
});

test('l does nothing on a lead that the viewer may only read', async () => {
  enableKeys();
  await openList([aLeadItem(1, { userId: 999 }, { name: 'Shop 1' })], { as: { ...ada, role: 'manager' } });
  await userEvent.keyboard('jl');
  expect(focusedText()).toBe('Shop 1');
  expect(screen.queryByRole('dialog')).toBeNull();
});
