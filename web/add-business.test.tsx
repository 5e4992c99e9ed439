import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { addLead, listLookAlikes, takeLead } from '#contract/leads/adding/adding.calls.ts';
import { listUsersForReassignment } from '#contract/leads/leads.calls.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import { DEFAULT_TEAM_SETTINGS } from '#contract/settings/team-settings.ts';
import { openAddBusiness } from '#web/commands/dialogs.ts';
import { Commands } from '#web/find/Commands.tsx';
import { read } from '#web/kit/api.ts';
import { deleteDrafts, readDraft } from '#web/kit/storage/drafts.ts';
import { AddBusinessButton } from '#web/leads/AddBusinessButton.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada, aLead, anOwnField, bob, SETTINGS, TEAM_SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import '#web/leads/adding/AddBusiness.tsx'; // loaded before the tests, which do not wait for it
import { ADDING_DRAFT } from '#web/leads/adding/adding-draft.ts';

const ALLOWED = {
  ...TEAM_SETTINGS,
  settings: { ...DEFAULT_TEAM_SETTINGS, addingLeads: { ...DEFAULT_TEAM_SETTINGS.addingLeads, allowed: true } },
};
const BATCH = '00000000-0000-4000-8000-0000000000b1';

beforeEach(() => {
  deleteDrafts();
  history.replaceState(null, '', '/today');
});
afterEach(() => vi.unstubAllGlobals());

function start({ as = bob, settings = ALLOWED } = {}) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(getTeamSettings, settings);
  server.responds(listLookAlikes, []);
  server.responds(listUsersForReassignment, [
    { id: ada.id, fullName: 'Ada Lovelace', username: 'ada', role: 'admin' },
    { id: bob.id, fullName: 'Bob Cratchit', username: 'bob', role: 'user' },
  ]);
  server.responds(addLead, aLead(7), { [BATCH_HEADER]: BATCH });
  const view = show(
    <>
      <AddBusinessButton />
      <Commands />
    </>,
    { as },
  );
  return { server, ...view };
}

async function open(options: Parameters<typeof start>[0] = {}) {
  const started = start(options);
  await userEvent.click(await screen.findByRole('button', { name: 'Add business' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add business' }));
  await dialog.findByRole('textbox', { name: 'Name' });
  return { ...started, dialog, save: () => userEvent.click(dialog.getByRole('button', { name: 'Add business' })) };
}

test('a name is enough: the lead opens, and its toast can undo it', async () => {
  const { server, dialog, save, toasts, lastUndo } = await open();
  await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus());
  await userEvent.keyboard('Rose & Thorn');
  await save();
  await waitFor(() => expect(window.location.pathname).toBe(`/business/uuid/${aLead(7).uuid}`));
  expect(server.last(addLead)?.body).toMatchObject({ name: 'Rose & Thorn', phone: '', postcode: '' });
  expect(server.last(addLead)?.headers.get('idempotency-key')).toBeTruthy();
  expect(toasts).toEqual(['Business added']);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(readDraft(bob.id, ADDING_DRAFT)).toBeUndefined();
  server.responds(undoChanges, { message: '1 taken back', takenBack: 1, deleted: 1, left: [], creditsKept: 0 });
  lastUndo()?.();
  await waitFor(() => expect(server.last(undoChanges)?.path).toContain(BATCH));
  expect(window.location.pathname).toBe('/today');
});

test('everything that is typed is sent, with the follow-up and, by administrators, the holder', async () => {
  const { server, dialog, save } = await open({ as: ada });
  const type = (label: string, text: string) => userEvent.type(dialog.getByLabelText(label), text);
  await type('Name', 'Rose');
  await type('Postcode', 'ls1 4dy');
  await type('Phone', '0113 496 0001');
  await type('Type of business', 'Florist');
  await type('Contact person', 'Rose');
  await type('Note', 'At the door');
  await type('Website', 'rose.example');
  await userEvent.selectOptions(await dialog.findByLabelText('Lead of'), 'Bob Cratchit');
  await userEvent.click(dialog.getByRole('button', { name: 'In a week' }));
  await save();
  await waitFor(() => expect(server.times(addLead)).toBe(1));
  expect(server.last(addLead)?.body).toEqual({
    ...{ name: 'Rose', postcode: 'ls1 4dy', phone: '0113 496 0001', businessType: 'Florist', contactPerson: 'Rose' },
    ...{ notes: 'At the door', website: 'rose.example', holderId: bob.id, followUp: { at: expect.any(String) } },
  });
});

const seats = anOwnField(4, { name: 'Seats', type: 'number', unit: 'seats', inForm: true, help: 'Inside only' });
const supplier = anOwnField(5, {
  ...{ name: 'Supplier', type: 'choices', inForm: true },
  choices: ['Acme', 'Böhm'].map((label, nth) => ({ id: String(nth + 1), label, retired: false })),
});

test('fields that are asked for are typed, checked and sent as values', async () => {
  const { server, dialog, save, queries } = await open();
  const fields = [seats, supplier, anOwnField(6, { name: 'Not asked' })];
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields }));
  await userEvent.type(dialog.getByLabelText('Name'), 'Rose');
  const box = await dialog.findByRole('textbox', { name: 'Seats (seats)' });
  expect(box).toHaveAccessibleDescription('Inside only');
  await userEvent.type(box, 'many');
  await userEvent.click(
    within(dialog.getByRole('group', { name: 'Supplier' })).getByRole('checkbox', { name: 'Böhm' }),
  );
  expect(dialog.queryByLabelText('Not asked')).toBeNull();
  await save();
  expect(box).toHaveAccessibleDescription(/Seats must be a number such as 1500/);
  expect(box).toHaveFocus();
  expect(server.times(addLead)).toBe(0);
  await userEvent.clear(box);
  await userEvent.type(box, '1,200');
  await save();
  await waitFor(() =>
    expect(server.last(addLead)?.body).toMatchObject({ ownFields: { 4: 1200, 5: ['2'] }, notes: '' }),
  );
});

test('choices that are renamed before the form is opened again stay chosen, and the user is told', async () => {
  const first = await open();
  act(() => first.queries.setQueryData(read(listOwnFields).queryKey, { fields: [supplier] }));
  await userEvent.type(first.dialog.getByLabelText('Name'), 'Rose');
  await userEvent.click(await first.dialog.findByRole('checkbox', { name: 'Böhm' }));
  first.unmount();
  const { server, dialog, save, queries } = await open();
  const choices = supplier.choices.map((each) => ({ ...each, label: `${each.label} Ltd` }));
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields: [{ ...supplier, choices }] }));
  expect(await dialog.findByRole('checkbox', { name: 'Böhm Ltd' })).toBeChecked();
  expect(dialog.getByText('You chose “Böhm”. It was renamed meanwhile: “Böhm Ltd”.')).toBeVisible();
  await save();
  await waitFor(() => expect(server.last(addLead)?.body).toMatchObject({ ownFields: { 5: ['2'] } }));
});

test.each([
  ['archived', [{ ...seats, archived: true }, supplier]],
  ['deleted', [supplier]],
])('what was typed for a field that is %s meanwhile goes into the note, or is discarded', async (_, left) => {
  const { server, dialog, save, queries } = await open();
  const show = (fields: OwnField[]) => act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields }));
  show([seats, supplier]);
  await userEvent.type(dialog.getByLabelText('Name'), 'Rose');
  await userEvent.type(dialog.getByLabelText('Note'), 'At the door');
  await userEvent.type(await dialog.findByRole('textbox', { name: 'Seats (seats)' }), '12 outside');
  show(left);
  expect(await dialog.findByText(/^“Seats” is no longer a field of your team/)).toBeVisible();
  expect(dialog.getByText('12 outside')).toBeVisible();
  server.refuses(addLead, 'too_many_added', 'You have added 50 today');
  await save();
  await waitFor(() => expect(server.last(addLead)?.body).toMatchObject({ notes: 'At the door\nSeats: 12 outside' }));
  expect(server.last(addLead)?.body).not.toHaveProperty('ownFields');
  await userEvent.click(dialog.getByRole('button', { name: 'Discard what you typed for Seats' }));
  server.responds(addLead, aLead(7), { [BATCH_HEADER]: BATCH });
  await save();
  await waitFor(() => expect(server.last(addLead)?.body).toMatchObject({ notes: 'At the door' }));
});

test('a field that the server has archived meanwhile is read again, and what was typed stays', async () => {
  const { server, dialog, save, queries, toasts } = await open();
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields: [seats] }));
  await userEvent.type(dialog.getByLabelText('Name'), 'Rose');
  await userEvent.type(await dialog.findByRole('textbox', { name: 'Seats (seats)' }), '12');
  server.refuses(addLead, 'field_archived', '“Seats” was archived');
  server.responds(listOwnFields, { fields: [{ ...seats, archived: true }] });
  await save();
  expect(await dialog.findByText(/^“Seats” is no longer a field of your team/)).toBeVisible();
  expect(dialog.getByText('12')).toBeVisible();
  expect(toasts).toEqual(['The business was not added | 409: “Seats” was archived']);
});

test('look-alikes say who works them; one that is nobodys becomes a lead at once', async () => {
  const { server, dialog, toasts } = await open();
  server.responds(listLookAlikes, [
    { businessId: 1, name: 'Rose Cafe', town: 'Leeds', holders: ['Ada Lovelace'], leadUuid: null },
    { businessId: 2, name: 'Rosebud', town: null, holders: [], leadUuid: null },
    { businessId: 3, name: 'Roses', town: null, holders: ['Bob Cratchit'], leadUuid: aLead(3).uuid },
  ]);
  server.responds(takeLead, aLead(8));
  await userEvent.type(dialog.getByLabelText('Name'), 'Rose');
  const found = within(await dialog.findByRole('region', { name: 'Look-alikes' }));
  expect(found.getByText('Rose Cafe, Leeds')).toHaveTextContent('Worked by Ada Lovelace');
  expect(found.getAllByRole('button')).toHaveLength(2);
  expect(found.getByRole('button', { name: 'Open Roses' })).toBeVisible();
  await userEvent.click(found.getByRole('button', { name: 'Make this my lead: Rosebud' }));
  await waitFor(() => expect(window.location.pathname).toBe(`/business/uuid/${aLead(8).uuid}`));
  expect(server.last(takeLead)?.body).toEqual({ businessId: 2 });
  expect(toasts).toEqual(['It is your lead now']);
});

test('what is wrong is said at its field: by the form, and by the server', async () => {
  const { server, dialog, save, toasts } = await open();
  await userEvent.type(dialog.getByLabelText('Postcode'), 'Leeds');
  await save();
  expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription('Please enter the name');
  expect(dialog.getByLabelText('Name')).toHaveFocus();
  expect(dialog.getByLabelText('Postcode')).toHaveAccessibleDescription('Please enter a postcode, such as LS1 4DY');
  expect(server.times(addLead)).toBe(0);
  const errors = [{ path: 'postcode', message: 'M1 is not in your territory' }];
  server.refuses(addLead, 'outside_territory', 'M1 is not in your territory', { errors });
  await userEvent.type(dialog.getByLabelText('Name'), 'Rose');
  await userEvent.clear(dialog.getByLabelText('Postcode'));
  await userEvent.type(dialog.getByLabelText('Postcode'), 'M1 1AA');
  await save();
  await waitFor(() =>
    expect(dialog.getByLabelText('Postcode')).toHaveAccessibleDescription('M1 is not in your territory'),
  );
  expect(toasts).toEqual(['The business was not added | 403: M1 is not in your territory']);
});

test('what is typed is kept when the sheet is closed', async () => {
  const { dialog } = await open();
  await userEvent.type(dialog.getByLabelText('Name'), 'Rose');
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.keyboard('a');
  expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveValue('Rose');
});

test('where the user is takes the place of the postcode, and can be taken back', async () => {
  vi.stubGlobal('isSecureContext', true);
  const position = { latitude: 53.8, longitude: -1.55 };
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: { getCurrentPosition: (onFound: (found: { coords: object }) => void) => onFound({ coords: position }) },
  });
  const { server, dialog, save } = await open();
  await userEvent.type(dialog.getByLabelText('Name'), 'Rose');
  await userEvent.click(dialog.getByRole('button', { name: 'Where I am' }));
  expect(dialog.getByText('It is where you are now.')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Not here' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Where I am' }));
  await save();
  await waitFor(() => expect(server.last(addLead)?.body).toMatchObject({ name: 'Rose', position }));
});

test('a page that was loaded to ask for the position opens the form', async () => {
  history.replaceState(null, '', '/today?add=here');
  start();
  expect(await screen.findByRole('dialog', { name: 'Add business' })).toBeVisible();
  expect(await screen.findByText(/type the postcode|where you are now/)).toBeVisible();
  expect(window.location.search).toBe('');
});

test('the shortcut of the installed app opens the form, without asking for the position', async () => {
  history.replaceState(null, '', '/today?add=business');
  start();
  expect(await screen.findByRole('dialog', { name: 'Add business' })).toBeVisible();
  expect(screen.queryByText(/type the postcode|where you are now/)).toBeNull();
  expect(window.location.search).toBe('');
});

test('whoever may not add has neither the button nor the key', async () => {
  const { server } = start({ settings: TEAM_SETTINGS });
  await waitFor(() => expect(server.times(getTeamSettings)).toBe(1));
  await userEvent.keyboard('a');
  expect(screen.queryByRole('button', { name: 'Add business' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('administrators always may', async () => {
  start({ as: ada, settings: TEAM_SETTINGS });
  expect(await screen.findByRole('button', { name: 'Add business' })).toBeVisible();
  openAddBusiness();
  expect(await screen.findByRole('dialog', { name: 'Add business' })).toBeVisible();
});
