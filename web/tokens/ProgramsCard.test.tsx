import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { getSettings } from '#contract/auth/settings.calls.ts';
import type { TeamToken, Token } from '#contract/tokens/token.ts';
import * as calls from '#contract/tokens/tokens.calls.ts';
import { listViews } from '#contract/views/views.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { aUser, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { ProgramsCard } from './ProgramsCard.tsx';
import { TeamPrograms } from './TeamPrograms.tsx';

const SECRET = `hs_${'a'.repeat(49)}`;
const aToken = (token: Partial<Token> = {}): Token => ({
  ...{ id: crypto.randomUUID(), name: 'n8n', lastFour: 'aaaa', rights: 'write', ownLeads: false, view: null },
  ...{ createdAt: '2026-11-01T09:00:00.000Z', expiresAt: '2099-01-30T09:00:00.000Z', lastUsedAt: null },
  ...token,
});
const hot = { id: crypto.randomUUID(), name: 'Hot in Leeds', shared: false, settings: { tags: 'hot' } };
const reports = { ...hot, id: crypto.randomUUID(), name: 'Last month', settings: { screen: 'reports' } };

function open({ tokens = [] as Token[], role = 'user' as 'user' | 'admin' } = {}) {
  const server = fakeServer();
  const viewer = aUser({ username: 'priya', role });
  server.responds(getSettings, SETTINGS);
  server.responds(calls.listTokens, tokens);
  const owner = { id: viewer.id, fullName: viewer.fullName };
  const views = [hot, reports].map((view) => ({ ...view, owner }));
  server.responds(listViews, { views, pinned: [], defaultView: null });
  return { server, ...show(<ProgramsCard />, { as: viewer }) };
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));

test('a token is made for a program, and is shown once to be copied', async () => {
  const { server } = open();
  userEvent.setup();
  await press('Make a token');
  const form = await dialogOf('Make a token');
  await userEvent.click(form.getByRole('button', { name: 'Make token' }));
  expect(form.getByLabelText('Name of the program')).toHaveAccessibleDescription(/^Please enter a name/);
  await userEvent.type(form.getByLabelText('Name of the program'), 'n8n');
  await userEvent.selectOptions(form.getByLabelText('It may'), 'Read and change');
  await userEvent.selectOptions(form.getByLabelText('Leads'), 'Only those that you hold');
  await userEvent.selectOptions(await form.findByLabelText('Limited to a saved view'), 'Hot in Leeds');
  await userEvent.selectOptions(form.getByLabelText('Expires after'), '30 days');
  server.responds(calls.createToken, { secret: SECRET, token: aToken() });
  server.responds(calls.listTokens, [aToken()]);
  await userEvent.click(form.getByRole('button', { name: 'Make token' }));

  const made = await dialogOf('The token of “n8n”');
  const body = { name: 'n8n', rights: 'write', ownLeads: true, viewId: hot.id, days: 30 };
  expect(server.last(calls.createToken)?.body).toEqual(body);
  expect(made.getByLabelText('Token')).toHaveValue(SECRET);
  await userEvent.click(made.getByRole('button', { name: 'Copy' }));
  expect(await made.findByText('Copied.')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await userEvent.click(made.getByRole('button', { name: 'I have stored it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByRole('list', { name: 'Tokens' })).toHaveTextContent('n8n');
  expect(screen.queryByDisplayValue(SECRET)).toBeNull();
  expect(screen.getByRole('button', { name: 'Make a token' })).toHaveFocus();
});

test('where the clipboard is not available, the token is selected', async () => {
  const { server } = open();
  await press('Make a token');
  const form = await dialogOf('Make a token');
  await userEvent.type(form.getByLabelText('Name of the program'), 'n8n');
  server.responds(calls.createToken, { secret: SECRET, token: aToken() });
  await userEvent.click(form.getByRole('button', { name: 'Make token' }));
  const made = await dialogOf('The token of “n8n”');
  const clipboard = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await userEvent.click(made.getByRole('button', { name: 'Copy' }));
  expect(await made.findByText('The token is selected: copy it with Ctrl C or ⌘ C.')).toBeVisible();
  const field = made.getByLabelText('Token') as HTMLInputElement;
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, SECRET.length]);
  clipboard.mockRestore();
});

test('only administrators are offered that a program administers, which is not limited to some leads', async () => {
  const first = open();
  await press('Make a token');
  const rights = () => screen.getByLabelText('It may');
  expect([...rights().children].map(({ textContent }) => textContent)).toEqual(['Read', 'Read and change']);
  first.unmount();

  const { server } = open({ role: 'admin' });
  await press('Make a token');
  const form = await dialogOf('Make a token');
  await userEvent.type(form.getByLabelText('Name of the program'), 'Back office');
  await userEvent.selectOptions(form.getByLabelText('Leads'), 'Only those that you hold');
  await userEvent.selectOptions(rights(), 'Read, change and administer');
  expect(form.queryByLabelText('Leads')).toBeNull();
  server.responds(calls.createToken, { secret: SECRET, token: aToken() });
  await userEvent.click(form.getByRole('button', { name: 'Make token' }));
  await dialogOf('The token of “n8n”');
  expect(server.last(calls.createToken)?.body).toMatchObject({ rights: 'admin', ownLeads: false, viewId: null });
});

test('a refused name is said at its field, and what was chosen stays', async () => {
  const { server } = open();
  await press('Make a token');
  const form = await dialogOf('Make a token');
  await userEvent.type(form.getByLabelText('Name of the program'), 'n8n');
  const message = 'You already have a token with this name';
  server.refuses(calls.createToken, 'duplicate_name', message, { errors: [{ path: 'name', message }] });
  await userEvent.click(form.getByRole('button', { name: 'Make token' }));
  await waitFor(() =>
    expect(form.getByLabelText('Name of the program')).toHaveAccessibleDescription(new RegExp(`^${message}`)),
  );
  expect(form.getByLabelText('Name of the program')).toHaveValue('n8n');
});

test('each token says what it may do, its end and its last use', async () => {
  open({
    tokens: [
      aToken({ lastUsedAt: '2026-11-18T10:00:00.000Z' }),
      aToken({ name: 'Old', rights: 'read', ownLeads: true, expiresAt: '2026-01-30T09:00:00.000Z' }),
      aToken({ name: 'Fenced', view: { id: hot.id, name: 'Hot in Leeds' } }),
      aToken({ name: 'Stuck', view: { id: hot.id, name: null } }),
    ],
  });
  const items = within(await screen.findByRole('list', { name: 'Tokens' })).getAllByRole('listitem');
  await waitFor(() => expect(items[0]).toHaveTextContent('Made Nov 1, 2026; expires Jan 30, 2099; last used Nov 18'));
  expect(items[0]).toHaveTextContent('n8n Read and changeAll leads that its user may see. Ends in aaaa');
  expect(items[1]).toHaveTextContent('Old ReadExpiredOwn leads. Ends in aaaa');
  expect(items[1]).toHaveTextContent('expired Jan 30, 2026; not used yet');
  expect(items[2]).toHaveTextContent('All leads that its user may see, of the view “Hot in Leeds”.');
  expect(items[3]).toHaveTextContent('Refused: its view was deleted');
});

test('a token is ended after a question', async () => {
  const tokens = [aToken(), aToken({ name: 'Script' })];
  const { server, toasts } = open({ tokens });
  await press('End: n8n');
  const question = within(await screen.findByRole('alertdialog', { name: 'End the token of “n8n”?' }));
  server.responds(calls.endToken, tokens.slice(1));
  await userEvent.click(question.getByRole('button', { name: 'End token' }));
  await waitFor(() => expect(toasts).toEqual(['Token ended']));
  expect(server.last(calls.endToken)?.path).toBe(`/api/account/tokens/${tokens[0]?.id}`);
  await waitFor(() => expect(screen.queryByText('n8n')).toBeNull());
  expect(screen.getByRole('list', { name: 'Tokens' })).toHaveFocus();
});

test('tokens that cannot be loaded are asked for again', async () => {
  const server = fakeServer();
  server.refuses(calls.listTokens, 'internal', 'Something went wrong');
  show(<ProgramsCard />);
  expect(await screen.findByText('Your tokens could not be loaded.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Make a token' })).toBeNull();
  server.responds(calls.listTokens, [aToken()]);
  await press('Try Again');
  expect(await screen.findByRole('list', { name: 'Tokens' })).toBeVisible();
});

test('administrators see whose tokens there are, and end them', async () => {
  const server = fakeServer();
  const priya = { id: 7, username: 'priya', fullName: 'Priya Shah' };
  const tokens: TeamToken[] = [{ ...aToken(), user: priya }];
  server.responds(getSettings, SETTINGS);
  server.responds(calls.listTeamTokens, tokens);
  show(<TeamPrograms />, { as: aUser({ username: 'ada', role: 'admin' }) });
  expect(await screen.findByRole('list', { name: 'Tokens of the team' })).toHaveTextContent('Of Priya Shah.');
  await press('End: n8n');
  server.responds(calls.endTeamToken, []);
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'End token' }));
  expect(await screen.findByText('There are no tokens yet.')).toBeVisible();
});
