import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { FIELD_TYPE_KEYS, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { listViews } from '#contract/views/views.calls.ts';
import { aLeadItem, anOwnField } from '#web/testing/fixtures.ts';
import { choose, DEFAULT_QUERY, lastQuery, listServer, press, showList } from '#web/testing/lead-list.tsx';

const CHOICES = ['Acme', 'Böhm'].map((label, nth) => ({ id: String(nth + 1), label, retired: nth === 1 }));
const FIELDS = FIELD_TYPE_KEYS.map((type, nth) =>
  anOwnField(nth + 1, {
    name: `My ${type}`,
    type,
    choices: type === 'choice' || type === 'choices' ? CHOICES : [],
  }),
);
const archived = anOwnField(90, { name: 'Former', archived: true });

async function open(search = '') {
  window.history.replaceState(null, '', `/crm${search && `?${search}`}`);
  const server = listServer([aLeadItem(1)]);
  server.responds(listOwnFields, { fields: [...FIELDS, archived] });
  const view = showList();
  await screen.findByText(/results? found/);
  return { server, ...view };
}
const openMore = () => press(/^More Filters/);
const ownOf = (server: ReturnType<typeof listServer>) => lastQuery(server).own;
const type = async (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const pick = async (label: string, choice: string) => {
  await press(new RegExp(`^${label}`));
  await userEvent.click(await screen.findByRole('checkbox', { name: choice }));
  await userEvent.keyboard('{Escape}');
};

/** How a filter of each type is set, what is sent, and the words of its chip. A type without an entry does not compile. */
const FILTERS: Record<FieldTypeKey, [set: () => Promise<unknown>, condition: unknown[], chip: string][]> = {
  text: [
    [
      async () => {
        await choose('My text', 'Contains');
        await type('Text of My text', 'north');
      },
      ['contains', 'north'],
      'My text: contains “north”',
    ],
    [
      async () => {
        await choose('My text', 'Is exactly');
        await type('Text of My text', 'North ');
      },
      ['is', 'North'],
      'My text: North',
    ],
    [() => choose('My text', 'Is empty'), ['empty'], 'My text: empty'],
  ],
  long_text: [
    [
      async () => {
        await choose('My long_text', 'Is not');
        await type('Text of My long_text', 'By the yard');
      },
      ['is_not', 'By the yard'],
      'My long_text: not By the yard',
    ],
    [() => choose('My long_text', 'Is not empty'), ['not_empty'], 'My long_text: not empty'],
  ],
  number: [
    [
      async () => {
        await choose('My number', 'Between two values');
        await type('My number from', '1,500');
      },
      ['from', 1500],
      'My number: from 1,500',
    ],
    [
      async () => {
        await choose('My number', 'Is exactly');
        await type('Value of My number', '0');
      },
      ['is', 0],
      'My number: 0',
    ],
    [
      async () => {
        await choose('My number', 'Is not');
        await type('Value of My number', '1,500');
      },
      ['is_not', 1500],
      'My number: not 1,500',
    ],
  ],
  money: [
    [
      async () => {
        await choose('My money', 'Between two values');
        await type('My money to', '99.5');
      },
      ['to', 99.5],
      'My money: up to £99.50',
    ],
    [
      async () => {
        await choose('My money', 'Is exactly');
        await type('Value of My money', '£20');
      },
      ['is', 20],
      'My money: £20',
    ],
  ],
  date: [
    [
      async () => {
        await choose('My date', 'Between two values');
        await type('My date from', '2026-03-04');
      },
      ['from', '2026-03-04'],
      'My date: from Mar 4, 2026',
    ],
    [
      async () => {
        await choose('My date', 'Is not');
        await type('Value of My date', '1950-03-04');
      },
      ['is_not', '1950-03-04'],
      'My date: not Mar 4, 1950',
    ],
  ],
  yes_no: [
    [() => choose('My yes_no', 'No'), ['is', false], 'My yes_no: No'],
    [() => choose('My yes_no', 'Is not Yes'), ['is_not', true], 'My yes_no: not Yes'],
    [() => choose('My yes_no', 'Is empty'), ['empty'], 'My yes_no: empty'],
  ],
  choice: [
    [
      async () => {
        await choose('My choice', 'Is any of');
        await pick('Choices of My choice', 'Acme');
        await pick('Choices of My choice', 'Böhm');
      },
      ['is', ['1', '2']],
      'My choice: Acme or Böhm',
    ],
    [
      async () => {
        await choose('My choice', 'Is none of');
        await pick('Choices of My choice', 'Acme');
      },
      ['is_not', '1'],
      'My choice: not Acme',
    ],
  ],
  choices: [
    [
      async () => {
        await choose('My choices', 'Has none of');
        await pick('Choices of My choices', 'Böhm');
      },
      ['has_not', '2'],
      'My choices: without Böhm',
    ],
  ],
  link: [
    [
      async () => {
        await choose('My link', 'Contains');
        await type('Text of My link', '/menu');
      },
      ['contains', '/menu'],
      'My link: contains “/menu”',
    ],
    [
      async () => {
        await choose('My link', 'Is exactly');
        await type('Text of My link', 'example.com/menu');
      },
      ['is', 'https://example.com/menu'],
      'My link: https://example.com/menu',
    ],
  ],
};

test.each(FIELDS.flatMap((field) => FILTERS[field.type].map((filter) => [filter[2], field, ...filter] as const)))(
  '%s is set, sent, in the URL, and its chip removes it',
  async (_, { id }, set, condition, chip) => {
    const { server } = await open();
    await openMore();
    await set();
    const own = JSON.stringify([[id, ...condition]]);
    await waitFor(() => expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, own }));
    expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({ own });
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: /^More Filters *1 *in use$/ })).toBeVisible();
    await press(`Remove filter: ${chip}`);
    await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
  },
);

test('conditions on several fields are kept apart, and both ends of a range are one chip', async () => {
  const { server } = await open('own=[[6,"is",true],[3,"from",10]]');
  await openMore();
  expect(screen.getByLabelText('My number from')).toHaveValue('10');
  await type('My number to', '20');
  await waitFor(() => expect(ownOf(server)).toBe('[[3,"from",10],[3,"to",20],[6,"is",true]]'));
  const chips = within(screen.getByRole('group', { name: 'Filters in use', hidden: true }));
  expect(chips.getByText('My number: 10 to 20')).toBeInTheDocument();
  await choose('My number', 'Any');
  await waitFor(() => expect(ownOf(server)).toBe('[[6,"is",true]]'));
  await press('Clear these filters');
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
});

test('a number that is none is not sent, stays in its field and says why', async () => {
  const { server } = await open();
  await openMore();
  await choose('My number', 'Between two values');
  await type('My number from', 'many');
  expect(screen.getByLabelText('My number from')).toHaveAccessibleDescription(
    'My number must be a number such as 1500',
  );
  const before = server.times(listLeads);
  await userEvent.clear(screen.getByLabelText('My number from'));
  await type('My number from', '7{Enter}');
  await waitFor(() => expect(ownOf(server)).toBe('[[3,"from",7]]'));
  expect(server.times(listLeads)).toBe(before + 1);
});

test('a text that is compared in another way stays', async () => {
  const { server } = await open('own=[[1,"contains","North"]]');
  await openMore();
  expect(screen.getByLabelText('Text of My text')).toHaveValue('North');
  await choose('My text', 'Is not');
  await waitFor(() => expect(ownOf(server)).toBe('[[1,"is_not","North"]]'));
  await userEvent.clear(screen.getByLabelText('Text of My text'));
  await waitFor(() => expect(lastQuery(server)).toEqual(DEFAULT_QUERY));
  expect(screen.getByRole('combobox', { name: 'My text' })).toHaveDisplayValue('Is not');
});

test('a value that is compared in another way stays, and so does a text that is no value', async () => {
  const { server } = await open('own=[[3,"from",10],[9,"contains","/menu"]]');
  await openMore();
  await choose('My number', 'Is not');
  await waitFor(() => expect(ownOf(server)).toBe('[[3,"is_not",10],[9,"contains","/menu"]]'));
  expect(screen.getByText('Leads without a value are included.')).toBeVisible();
  await choose('My number', 'Between two values');
  await waitFor(() => expect(ownOf(server)).toBe('[[3,"from",10],[9,"contains","/menu"]]'));
  await choose('My link', 'Is exactly');
  await waitFor(() => expect(ownOf(server)).toBe('[[3,"from",10]]'));
  expect(screen.getByLabelText('Text of My link')).toHaveValue('/menu');
  expect(screen.getByLabelText('Text of My link')).toHaveAccessibleDescription(/^My link must be a web address/);
  await choose('My link', 'Contains');
  await waitFor(() => expect(ownOf(server)).toBe('[[3,"from",10],[9,"contains","/menu"]]'));
});

test('an archived field is no filter any more, but one that is in use says so and still filters', async () => {
  const { server } = await open('own=[[90,"contains","x"]]&sort=field90-desc');
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, own: '[[90,"contains","x"]]', sort: 'field90-desc' });
  expect(screen.getByRole('combobox', { name: 'Sort by date' })).toHaveDisplayValue('Former (archived): Z to A');
  await openMore();
  expect(screen.queryByLabelText('Former')).toBeNull();
  await userEvent.keyboard('{Escape}');
  await press('Remove filter: Former (archived): contains “x”');
  await waitFor(() => expect(ownOf(server)).toBeUndefined());
});

test('a view by a field that is gone shows what its other filters have, and says so', async () => {
  const id = '11111111-1111-4111-8111-111111111111';
  const settings = { own: '[[77,"empty"],[6,"is",true]]', sort: 'field77' };
  window.history.replaceState(null, '', `/crm?${new URLSearchParams({ ...settings, saved: id })}`);
  const server = listServer([aLeadItem(1)]);
  server.responds(listViews, {
    views: [{ id, name: 'Licensed', shared: false, settings, owner: { id: 1, fullName: 'Ada' } }],
    ...{ pinned: [id], defaultView: null },
  });
  const held = server.holds(listOwnFields);
  showList();
  await waitFor(() => expect(server.times(listOwnFields)).toBeGreaterThan(0));
  expect(server.times(listLeads), 'not before it is known which fields there are').toBe(0);
  held.respond({ fields: FIELDS });
  expect(await screen.findByText(/results? found/)).toBeVisible();
  expect(lastQuery(server)).toEqual({ ...DEFAULT_QUERY, own: '[[6,"is",true]]' });
  expect(screen.queryByText(/modified/i)).toBeNull();
  await press('Remove filter: A field that no longer exists');
  await waitFor(() => expect(new URLSearchParams(window.location.search).get('own')).toBe('[[6,"is",true]]'));
});

test('where the fields cannot be loaded, the list is', async () => {
  window.history.replaceState(null, '', '/crm?own=[[6,"is",true]]');
  const server = listServer([aLeadItem(1)]);
  server.refuses(listOwnFields, 'internal', 'Something went wrong');
  showList();
  expect(await screen.findByText(/results? found/)).toBeVisible();
  expect(ownOf(server)).toBe('[[6,"is",true]]');
});

test('the list is sorted by a field: from the menu, and by the heading of its column', async () => {
  const { server } = await open('view=table&columns=field3');
  await choose('Sort by date', 'My number: highest first');
  await waitFor(() => expect(lastQuery(server).sort).toBe('field3-desc'));
  const heading = await screen.findByRole('columnheader', { name: /^My number/ });
  expect(heading).toHaveAttribute('aria-sort', 'descending');
  await userEvent.click(within(heading).getByRole('button', { name: 'My number' }));
  await waitFor(() => expect(lastQuery(server).sort).toBe('field3'));
  expect(screen.getByRole('columnheader', { name: /^My number/ })).toHaveAttribute('aria-sort', 'ascending');
  expect(screen.getByRole('combobox', { name: 'Sort by date' })).toHaveDisplayValue('My number: lowest first');
});
