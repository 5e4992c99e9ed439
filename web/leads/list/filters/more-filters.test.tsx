import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { choose, DEFAULT_QUERY, lastQuery, openList, press } from '#web/testing/lead-list.tsx';

const STATUSES: Record<string, string> = { New: 'new', Recontact: 'recontact' };
const openMore = () => press(/^More Filters/);

test.each([
  ['Last contact', 'Never', { contacted: 'never' }, 'Last contact: never'],
  ['Last contact', 'At least 30 days ago', { contactedTo: '30d' }, 'Last contact: at least 30 days ago'],
  ['Assigned', 'Today', { assignedFrom: '0d' }, 'Assigned: today'],
  ['Next follow-up', 'Overdue or today', { followUp: 'due' }, 'Follow-up: overdue or today'],
  ['Phone', 'Without', { hasPhone: 'false' }, 'Without phone'],
  ['E-mail', 'With', { hasEmail: 'true' }, 'With e-mail'],
  ['Website', 'Without', { hasWebsite: 'false' }, 'Without website'],
  ['Type', 'Without', { hasType: 'false' }, 'Without type'],
  ['Created by', 'Import', { source: 'import' }, 'From: import'],
])('%s set to %s is sent, in the URL, and a chip removes it', async (filter, option, query, chip) => {
  const { server } = await openList();
  await openMore();
  await choose(filter, option);
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, ...query }));
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual(query);

  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('button', { name: /^More Filters *1 *in use$/ })).toBeVisible();
  await press(`Remove filter: ${chip}`);
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
});

test.each([
  ['Type of business', 'types', ['Bakery', 'Florist'], 'Type'],
  ['Statuses', 'status', ['New', 'Recontact'], 'Status'],
])(
  'several of %s are chosen, sent and in the URL, and a chip removes each',
  async (label, key, [first = '', second = ''], name) => {
    const { server } = await openList();
    await openMore();
    await press(`${label} All ${key === 'types' ? 'types' : 'statuses'}`);
    const toValue = (option: string) => STATUSES[option] ?? option;
    await userEvent.click(await screen.findByRole('checkbox', { name: first }));
    await userEvent.click(screen.getByRole('checkbox', { name: second }));
    const both = `${toValue(first)},${toValue(second)}`;
    await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, [key]: both }));
    expect(new URLSearchParams(window.location.search).get(key)).toBe(both);
    expect(screen.getByRole('button', { name: `${label} ${first}, ${second}`, hidden: true })).toBeInTheDocument();

    await userEvent.keyboard('{Escape}');
    await userEvent.keyboard('{Escape}');
    await press(`Remove filter: ${name}: ${first}`);
    await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, [key]: toValue(second) }));
    // The panel itself shows a single status.
    if (key === 'status') await choose('Lead Status', 'All Statuses');
    else await press(`Remove filter: ${name}: ${second}`);
    await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
  },
);

test('while several statuses are chosen, the select says how many, and a choice in it replaces them', async () => {
  window.history.replaceState(null, '', '/crm?status=new,recontact');
  const { server } = await openList();
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, status: 'new,recontact' });
  expect(screen.getByRole('combobox', { name: 'Lead Status' })).toHaveDisplayValue('2 statuses');
  expect(screen.getByRole('button', { name: /^More Filters *1 *in use$/ })).toBeVisible();
  await choose('Lead Status', 'In Progress');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, status: 'in_progress' }));
  expect(screen.queryByRole('option', { name: '2 statuses' })).toBeNull();
});

test('the statuses and types that were chosen here are cleared with the others', async () => {
  window.history.replaceState(null, '', '/crm?status=new,recontact&types=Bakery,Cafe&hasPhone=true');
  const { server } = await openList();
  await openMore();
  await press('Clear these filters');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
});

test('a district or an area is typed, sent, in the URL, and a chip removes it', async () => {
  const { server } = await openList();
  await openMore();
  const field = screen.getByLabelText('Postcode district or area');
  await userEvent.type(field, 'ls1');
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, district: 'LS1' }));
  expect(window.location.search).toBe('?district=LS1');
  await userEvent.type(field, ' 4ap');
  expect(field, 'a whole postcode is its district').toHaveValue('ls1 4ap');
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, district: 'LS1' });
  await userEvent.type(field, '{Home}Leeds ');
  expect(field, 'no filter, and not lost').toHaveValue('Leeds ls1 4ap');
  expect(field).toHaveAccessibleDescription('Enter a postcode district or area, such as LS1 or LS');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));

  await userEvent.clear(field);
  await userEvent.type(field, 'SW1A');
  await userEvent.keyboard('{Escape}');
  await press('Remove filter: District: SW1A');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
});

test('two days are chosen, shown in a chip and cleared', async () => {
  const { server } = await openList();
  await openMore();
  await choose('Last contact', 'Between two days');
  await userEvent.type(screen.getByLabelText('First day'), '2026-03-04');
  await userEvent.type(screen.getByLabelText('Last day'), '2026-03-31');
  const chosen = { contactedFrom: '2026-03-04', contactedTo: '2026-03-31' };
  await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, ...chosen }));
  const chips = screen.getByRole('group', { name: 'Filters in use', hidden: true });
  expect(within(chips).getByText('Last contact: Mar 4, 2026 to Mar 31, 2026')).toBeInTheDocument();

  await press('Clear these filters');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
});

test('the list is sorted by any column', async () => {
  const { server } = await openList();
  for (const [label, sort] of [
    ['Name A to Z', 'name'],
    ['Town Z to A', 'town-desc'],
    ['Status, first to last', 'status'],
    ['Last contact: longest ago', 'last-contact'],
    ['Follow-up: soonest', 'follow-up'],
  ] as const) {
    await choose('Sort by date', label);
    await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, sort }));
  }
});

test('a link restores the filters and the order', async () => {
  window.history.replaceState(null, '', '/crm?contactedFrom=2026-03-04&hasEmail=false&followUp=week&sort=follow-up');
  const { server } = await openList();
  const query = { contactedFrom: '2026-03-04', hasEmail: 'false', followUp: 'week', sort: 'follow-up' };
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, ...query });
  await openMore();
  expect(screen.getByRole('combobox', { name: 'Last contact' })).toHaveValue('days');
  expect(screen.getByLabelText('First day')).toHaveValue('2026-03-04');
  expect(screen.getByRole('combobox', { name: 'Next follow-up' })).toHaveValue('week');
});
