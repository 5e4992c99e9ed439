import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listAllTags } from '#contract/leads/lead-lists.calls.ts';
import { addTag, removeTag } from '#contract/leads/leads.calls.ts';
import { toasts as pageToasts } from '#web/kit/toasts.ts';
import { button, lead, openProfile, otherUser, press, showLead, stubConfirm } from '#web/testing/lead-profile.tsx';
import { suggestTags } from './LeadTags.tsx';

const list = () => screen.getByRole('list', { name: 'Custom tags' });
const shown = () =>
  within(list())
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);
const field = () => screen.getByRole('textbox', { name: 'New tag' });

test('tags are shown without the reserved Imported tag', async () => {
  await openProfile({ lead: { tags: ['Imported', 'hot', 'Chain'] } });
  expect(shown()).toEqual(['hot', 'Chain']);
});

test('an empty list of tags shows a message', async () => {
  await openProfile({ lead: { tags: ['Imported'] } });
  expect(screen.getByText('No tags yet.')).toBeVisible();
});

test('a trimmed tag is added', async () => {
  const { server, toasts } = await openProfile();
  server.responds(addTag.byId, { ...lead, tags: ['hot'] });
  expect(button('Add')).toBeDisabled();
  await userEvent.type(field(), '   ');
  expect(button('Add')).toBeDisabled();

  await userEvent.type(field(), 'hot ');
  await press('Add');

  await waitFor(() => expect(shown()).toEqual(['hot']));
  expect(server.last(addTag.byId)).toMatchObject({ path: '/api/business-tag/5', body: { tag: 'hot' } });
  expect(toasts).toEqual(['Tag added']);
  expect(field()).toHaveValue('');
  expect(field()).toHaveFocus();
});

test('a refused tag stays in the field', async () => {
  const { server, toasts } = await openProfile();
  server.refuses(addTag.byId, 'reserved_tag', 'This tag is reserved');
  await userEvent.type(field(), 'imported{Enter}');
  await waitFor(() => expect(toasts).toEqual(['Failed to add tag | 400: This tag is reserved']));
  expect(field()).toHaveValue('imported');
});

test('a tag is removed after confirmation', async () => {
  const { server, toasts } = await openProfile({ lead: { tags: ['a/b', 'hot'] } });
  const held = server.holds(removeTag.byId);
  const questions = stubConfirm(true);
  await press('Remove tag a/b');

  expect(questions).toEqual(['Are you sure you want to remove the tag "a/b"?']);
  await waitFor(() => expect(shown()).toEqual(['hot']));
  expect(list()).toHaveFocus();
  held.respond({ ...lead, tags: ['hot'] });
  await waitFor(() => expect(toasts).toEqual(['Tag removed']));
  expect(server.last(removeTag.byId)?.path).toBe('/api/business-tag/5/a%2Fb');
});

test('a tag is kept when the confirmation is cancelled', async () => {
  const { server } = await openProfile({ lead: { tags: ['hot'] } });
  stubConfirm(false);
  await press('Remove tag hot');
  expect(server.times(removeTag.byId)).toBe(0);
  expect(shown()).toEqual(['hot']);
});

test('a tag that could not be removed is shown again', async () => {
  const { server, toasts } = await openProfile({ lead: { tags: ['hot'] } });
  server.refuses(removeTag.byId, 'not_found', 'This business does not have that tag');
  stubConfirm(true);
  await press('Remove tag hot');
  await waitFor(() => expect(toasts).toEqual(['Failed to remove tag | 404: This business does not have that tag']));
  await waitFor(() => expect(shown()).toEqual(['hot']));
});

test('tags of other leads are suggested', async () => {
  const { server } = await openProfile({ lead: { tags: ['hot'] }, knownTags: ['Chain', 'Cheap', 'hot'] });
  server.responds(addTag.byId, { ...lead, tags: ['hot', 'Chain'] });
  await userEvent.type(field(), 'cha');

  const suggestions = within(await screen.findByRole('group', { name: 'Suggested tags' }));
  expect(suggestions.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Chain']);
  await userEvent.click(suggestions.getByRole('button', { name: 'Chain' }));

  await waitFor(() => expect(shown()).toEqual(['hot', 'Chain']));
  expect(server.last(addTag.byId)?.body).toEqual({ tag: 'Chain' });
});

test('without known tags a tag can still be typed', async () => {
  const { server } = await openProfile();
  server.refuses(listAllTags, 'internal', 'Something went wrong');
  await userEvent.type(field(), 'hot');
  expect(button('Add')).toBeEnabled();
  expect(screen.queryByRole('group', { name: 'Suggested tags' })).toBeNull();
});

test.each([
  { text: ' ', suggested: [] },
  { text: ' CH ', suggested: ['Chain', 'Cheap'] },
  { text: 'hot', suggested: [] },
])('typing $text suggests $suggested', ({ text, suggested }) => {
  expect(suggestTags(['Chain', 'Cheap', 'HOT', 'Imported', 'New build'], ['hot'], text)).toEqual(suggested);
});

test('a viewer who may not change the lead sees the tags without buttons', async () => {
  await openProfile({ lead: { tags: ['hot'] }, as: otherUser('manager') });
  expect(shown()).toEqual(['hot']);
  expect(screen.queryByRole('button', { name: /tag/ })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'New tag' })).toBeNull();
});

test('a tag being typed survives leaving the profile, with a toast', async () => {
  const { unmount } = await openProfile();
  await userEvent.type(field(), 'half a t');
  unmount();
  expect(pageToasts.current()?.title).toBe('Draft kept');
  showLead();
  expect(await screen.findByRole('textbox', { name: 'New tag' })).toHaveValue('half a t');
});

test('a tag typed while another one is added stays in the field', async () => {
  const { server, toasts } = await openProfile();
  const held = server.holds(addTag.byId);
  await userEvent.type(field(), 'hot{Enter}');
  await userEvent.clear(field());
  await userEvent.type(field(), 'market');
  held.respond({ ...lead, tags: ['hot'] });
  await waitFor(() => expect(toasts).toEqual(['Tag added']));
  expect(field()).toHaveValue('market');
});
