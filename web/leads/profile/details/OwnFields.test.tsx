import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { changeOwnValues } from '#contract/leads/leads.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPE_KEYS, FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { read } from '#web/kit/api.ts';
import { readDraft, saveDraft } from '#web/kit/storage/drafts.ts';
import { anOwnField } from '#web/testing/fixtures.ts';
import { lead, openProfile, priya, profileServer, showLead, UUID } from '#web/testing/lead-profile.tsx';

const CHOICES = ['Acme', 'Böhm', 'Old Ltd'].map((label, nth) => ({
  id: String(nth + 1),
  label,
  retired: label === 'Old Ltd',
}));
const aField = (type: FieldTypeKey, field: Partial<OwnField> = {}) =>
  anOwnField(4, {
    name: 'Extra',
    type,
    unit: type === 'number' ? 'kW' : '',
    choices: FIELD_TYPES[type].setting === 'choices' ? CHOICES : [],
    ...field,
  });

async function open(field: OwnField, value?: OwnValue) {
  const ownFields = value === undefined ? {} : { [field.id]: value };
  const view = await openProfile({ lead: { ownFields }, ownFields: [field] });
  view.server.responds(changeOwnValues.byId, { ...lead, ownFields });
  return view;
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const group = () => within(screen.getByRole('group', { name: 'Extra' }));

/** What a user does in the control of each type, and what is sent. A type that is missing does not compile. */
const EDITS: Record<FieldTypeKey, { shown: [OwnValue, string]; edit: () => Promise<void>; sent: OwnValue }> = {
  text: {
    shown: ['old', 'old'],
    edit: () => userEvent.type(screen.getByRole('textbox', { name: 'Extra' }), 'er'),
    sent: 'older',
  },
  long_text: {
    shown: ['one', 'one'],
    edit: () => userEvent.type(screen.getByRole('textbox', { name: 'Extra' }), '{Enter}two'),
    sent: 'one\ntwo',
  },
  number: {
    shown: [1500, '1,500 kW'],
    edit: () => userEvent.type(screen.getByRole('textbox', { name: 'Extra (kW)' }), '.5'),
    sent: 1500.5,
  },
  money: {
    shown: [49.5, '£49.50'],
    edit: () => userEvent.type(screen.getByRole('textbox', { name: 'Extra' }), '5'),
    sent: 49.55,
  },
  date: {
    shown: ['2026-03-31', 'Mar 31, 2026'],
    edit: async () => {
      await userEvent.clear(screen.getByLabelText('Extra'));
      await userEvent.type(screen.getByLabelText('Extra'), '2027-01-02');
    },
    sent: '2027-01-02',
  },
  yes_no: {
    shown: [true, 'Yes'],
    edit: () => userEvent.selectOptions(screen.getByRole('combobox', { name: 'Extra' }), 'No'),
    sent: false,
  },
  choice: {
    shown: ['3', 'Old Ltd'],
    edit: () => userEvent.selectOptions(screen.getByRole('combobox', { name: 'Extra' }), 'Böhm'),
    sent: '2',
  },
  choices: {
    shown: [['1', '3'], 'Acme, Old Ltd'],
    edit: async () => {
      await userEvent.click(group().getByRole('checkbox', { name: 'Acme' }));
      await userEvent.click(group().getByRole('checkbox', { name: 'Böhm' }));
    },
    sent: ['2', '3'],
  },
  link: {
    shown: ['https://example.com', 'https://example.com'],
    edit: () => userEvent.type(screen.getByRole('textbox', { name: 'Extra' }), '/menu'),
    sent: 'https://example.com/menu',
  },
};

test.each(FIELD_TYPE_KEYS)('a %s is shown, edited in place and saved', async (type) => {
  const [value, text] = EDITS[type].shown;
  const { server, toasts } = await open(aField(type), value);
  expect(await screen.findByText(text)).toBeVisible();
  await press('Edit extra');
  // Selected text is typed over.
  const box = screen.queryByRole('textbox', { name: /^Extra/ });
  if (box instanceof HTMLInputElement) box.setSelectionRange(box.value.length, box.value.length);
  await EDITS[type].edit();
  await press('Save');
  await waitFor(() => expect(toasts).toEqual(['Extra updated']));
  expect(server.last(changeOwnValues.byId)?.body).toEqual({
    values: { 4: EDITS[type].sent },
    before: { 4: value },
  });
});

test('a value is added, with the help text at hand', async () => {
  const { server } = await open(aField('text', { help: 'As on the invoice' }));
  await press('Add extra');
  const box = screen.getByRole('textbox', { name: 'Extra' });
  expect(box).toHaveFocus();
  expect(box).toHaveAccessibleDescription('As on the invoice');
  await userEvent.type(box, 'A{Enter}');
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 4: 'A' }, before: { 4: null } }),
  );
});

test('a value is cleared by emptying it', async () => {
  const { server } = await open(aField('choice'), '1');
  await press('Edit extra');
  expect(screen.queryByRole('option', { name: 'Old Ltd' }), 'no longer offered').toBeNull();
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Extra' }), 'None');
  await press('Save');
  await waitFor(() => expect(server.last(changeOwnValues.byId)?.body).toMatchObject({ values: { 4: null } }));
});

test('what is no value is said at once, and kept', async () => {
  const { server } = await open(aField('number'));
  await press('Add extra');
  await userEvent.type(screen.getByRole('textbox', { name: 'Extra (kW)' }), 'many{Enter}');
  expect(await screen.findByText('Extra must be a number such as 1500')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Extra (kW)' })).toHaveValue('many');
  expect(server.times(changeOwnValues.byId)).toBe(0);
});

test('what another user wrote meanwhile is shown before it is replaced', async () => {
  const { server, toasts } = await open(aField('text'), 'seen');
  server.handles(changeOwnValues.byId, () =>
    Response.json({ code: 'stale_field', message: 'Changed', current: { 4: 'theirs' } }, { status: 409 }),
  );
  await press('Edit extra');
  await userEvent.type(screen.getByRole('textbox', { name: 'Extra' }), ' mine');
  await press('Save');
  expect(await screen.findByText(/^Another user has changed it to “theirs” meanwhile/)).toBeVisible();
  server.responds(changeOwnValues.byId, lead);
  await press('Save');
  await waitFor(() => expect(toasts.at(-1)).toBe('Extra updated'));
  expect(server.last(changeOwnValues.byId)?.body).toMatchObject({ before: { 4: 'theirs' } });
});

test('a choice that is renamed while the field is edited is no conflict', async () => {
  const field = aField('choice');
  const { queries, server } = await open(field, '1');
  await press('Edit extra');
  const choices = CHOICES.map((each) => (each.id === '1' ? { ...each, label: 'Acme Ltd' } : each));
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields: [{ ...field, choices }] }));
  expect(await screen.findByRole('option', { name: 'Acme Ltd' })).toHaveProperty('selected', true);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Extra' }), 'Böhm');
  await press('Save');
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 4: '2' }, before: { 4: '1' } }),
  );
});

test('what is ticked stays when another choice is renamed', async () => {
  const field = aField('choices');
  const { queries, server } = await open(field, ['1']);
  await press('Edit extra');
  await userEvent.click(group().getByRole('checkbox', { name: 'Böhm' }));
  const choices = CHOICES.map((each) => (each.id === '1' ? { ...each, label: 'Acme Ltd' } : each));
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields: [{ ...field, choices }] }));
  expect(await group().findByRole('checkbox', { name: 'Acme Ltd' })).toBeChecked();
  expect(group().getByRole('checkbox', { name: 'Böhm' })).toBeChecked();
  await press('Save');
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 4: ['1', '2'] }, before: { 4: ['1'] } }),
  );
});

/** The profile is left and loaded again, with the choices as they are then. */
async function reload(view: { unmount: () => void }, field: OwnField, value: OwnValue) {
  view.unmount();
  const ownFields = { [field.id]: value };
  const server = profileServer({ lead: { ownFields }, ownFields: [field] });
  server.responds(changeOwnValues.byId, { ...lead, ownFields });
  showLead();
  await screen.findByRole('button', { name: 'Save' });
  return server;
}
const rename = (names: Record<string, string>) =>
  CHOICES.map((each) => ({ ...each, label: names[each.id] ?? each.label }));

test('a choice of a draft that is renamed before the page is loaded again stays chosen, and the user is told', async () => {
  const view = await open(aField('choice'), '1');
  await press('Edit extra');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Extra' }), 'Böhm');
  const server = await reload(view, aField('choice', { choices: rename({ 1: 'Böhm', 2: 'Böhm & Co' }) }), '1');
  expect(screen.getByText('You chose “Böhm”. It was renamed meanwhile: “Böhm & Co”.')).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Extra' })).toHaveDisplayValue('Böhm & Co');
  await press('Save');
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 4: '2' }, before: { 4: '1' } }),
  );
});

test('so do several choices, and the others that are ticked then are added to them', async () => {
  const view = await open(aField('choices', { choices: rename({}).map((each) => ({ ...each, retired: false })) }), [
    '1',
  ]);
  await press('Edit extra');
  await userEvent.click(group().getByRole('checkbox', { name: 'Böhm' }));
  const choices = rename({ 1: 'Acme Ltd' }).map((each) => ({ ...each, retired: false }));
  const server = await reload(view, aField('choices', { choices }), ['1']);
  expect(screen.getByText('You chose “Acme; Böhm”. It was renamed meanwhile: “Acme Ltd; Böhm”.')).toBeVisible();
  await userEvent.click(group().getByRole('checkbox', { name: 'Old Ltd' }));
  await press('Save');
  await waitFor(() =>
    expect(server.last(changeOwnValues.byId)?.body).toEqual({ values: { 4: ['1', '2', '3'] }, before: { 4: ['1'] } }),
  );
});

test('a draft is unchanged where its choices are only put in another order, or are no longer offered', async () => {
  const view = await open(aField('choices'), ['1']);
  await press('Edit extra');
  await userEvent.click(group().getByRole('checkbox', { name: 'Böhm' }));
  const choices = CHOICES.map((each) => ({ ...each, retired: each.id === '2' })).reverse();
  await reload(view, aField('choices', { choices }), ['1']);
  expect(screen.queryByText(/^You chose/)).toBeNull();
  expect(group().getByRole('checkbox', { name: 'Böhm' })).toBeChecked();
});

test('a draft whose choice is not known is told', async () => {
  saveDraft(priya.id, `${UUID}.own-field-4`, { text: 'Former name', version: 0 });
  const server = profileServer({ lead: { ownFields: { 4: '1' } }, ownFields: [aField('choice')] });
  showLead();
  expect(await screen.findByText('You chose “Former name”, which is no choice of this field any more.')).toBeVisible();
  await press('Save');
  expect(await screen.findByText('Extra must be one of: Acme, Böhm')).toBeVisible();
  expect(readDraft(priya.id, `${UUID}.own-field-4`)?.text).toBe('Former name');
  expect(server.times(changeOwnValues.byId)).toBe(0);
});

test.each([
  ['archived', /^This field was archived meanwhile/, (field: OwnField) => [{ ...field, archived: true }]],
  ['deleted', /^This field was deleted meanwhile/, () => []],
])('when the field is %s meanwhile, what was typed stays and the user is told', async (_, told, toFields) => {
  const field = aField('text');
  const { queries } = await open(field, 'old');
  await press('Edit extra');
  await userEvent.type(screen.getByRole('textbox', { name: 'Extra' }), 'typed');
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields: toFields(field) }));
  expect(await screen.findByText(told)).toBeVisible();
  expect(screen.getByText('Extra', { selector: 'dt' })).toBeVisible();
  expect(screen.getByText(/typed$/)).toBeVisible();
  await press('Discard');
  await waitFor(() => expect(screen.queryByText(told)).toBeNull());
});

test('a field that is taken out of profiles while it is edited can still be saved', async () => {
  const field = aField('text');
  const { queries, server } = await open(field, 'old');
  await press('Edit extra');
  await userEvent.type(screen.getByRole('textbox', { name: 'Extra' }), 'er');
  act(() => queries.setQueryData(read(listOwnFields).queryKey, { fields: [{ ...field, inProfile: false }] }));
  await press('Save');
  await waitFor(() => expect(server.last(changeOwnValues.byId)?.body).toMatchObject({ values: { 4: 'older' } }));
  await waitFor(() => expect(screen.queryByText('Extra', { selector: 'dt' })).toBeNull());
});

test('archived fields, and those that are not for profiles, are not shown', async () => {
  await open(aField('text', { inProfile: false }), 'hidden value');
  expect(screen.queryByText('hidden value')).toBeNull();
});
