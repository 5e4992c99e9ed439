import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listAllTags } from '#contract/leads/lead-lists.calls.ts';
import { addTag, removeTag } from '#contract/leads/leads.calls.ts';
import { suggestTags } from '#web/leads/suggest-tags.ts';
import { button, lead, openProfile, otherUser, press, stubConfirm } from '#web/testing/lead-profile.tsx';

const list = () => screen.getByRole('list', { name: 'Custom tags' });
const shown = () =>
  within(list())
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);
const field = () => screen.getByRole('textbox', { name: 'New tag' });

test('tags are shown, without the one that marks imports', async () => {
  await openProfile({ lead: { tags: ['Imported', 'hot', 'Chain'] } });
  expect(shown()).toEqual(['hot', 'Chain']);
});

test('without tags that is said', async () => {
  await openProfile({ lead: { tags: ['Imported'] } });
  expect(screen.getByText('No tags yet.')).toBeVisible();
});

test('a tag is added, trimmed', async () => {
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

test('a refused tag stays to be put right', async () => {
  const { server, toasts } = await openProfile();
  server.refuses(addTag.byId, 'reserved_tag', 'This tag is reserved');
  await userEvent.type(field(), 'imported{Enter}');
  await waitFor(() => expect(toasts).toEqual(['Failed to add tag | 400: This tag is reserved']));
  expect(field()).toHaveValue('imported');
});

test('a tag is removed after the browser has asked', async () => {
  const { server, toasts } = await openProfile({ lead: { tags: ['a/b', 'hot'] } });
  const held = server.holds(removeTag.byId);
  const asked = stubConfirm(true);
  await press('Remove tag a/b');

  expect(asked).toEqual(['Are you sure you want to remove the tag "a/b"?']);
  await waitFor(() => expect(shown()).toEqual(['hot']));
  expect(list()).toHaveFocus();
  held.respond({ ...lead, tags: ['hot'] });
  await waitFor(() => expect(toasts).toEqual(['Tag removed']));
  expect(server.last(removeTag.byId)?.path).toBe('/api/business-tag/5/a%2Fb');
});

test('a tag is kept when the question is answered with no', async () => {
  const { server } = await openProfile({ lead: { tags: ['hot'] } });
  stubConfirm(false);
  await press('Remove tag hot');
  expect(server.times(removeTag.byId)).toBe(0);
  expect(shown()).toEqual(['hot']);
});

test('a tag that could not be removed comes back', async () => {
  const { server, toasts } = await openProfile({ lead: { tags: ['hot'] } });
  server.refuses(removeTag.byId, 'not_found', 'This business does not have that tag');
  stubConfirm(true);
  await press('Remove tag hot');
  await waitFor(() => expect(toasts).toEqual(['Failed to remove tag | 404: This business does not have that tag']));
  await waitFor(() => expect(shown()).toEqual(['hot']));
});

test('tags known from other leads are offered', async () => {
  const { server } = await openProfile({ lead: { tags: ['hot'] }, knownTags: ['Chain', 'Cheap', 'hot'] });
  server.responds(addTag.byId, { ...lead, tags: ['hot', 'Chain'] });
  await userEvent.type(field(), 'cha');

  const offered = within(await screen.findByRole('group', { name: 'Suggested tags' }));
  expect(offered.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Chain']);
  await userEvent.click(offered.getByRole('button', { name: 'Chain' }));

  await waitFor(() => expect(shown()).toEqual(['hot', 'Chain']));
  expect(server.last(addTag.byId)?.body).toEqual({ tag: 'Chain' });
});

test('without known tags one can still be typed', async () => {
  const { server } = await openProfile();
  server.refuses(listAllTags, 'internal', 'Something went wrong');
  await userEvent.type(field(), 'hot');
  expect(button('Add')).toBeEnabled();
  expect(screen.queryByRole('group', { name: 'Suggested tags' })).toBeNull();
});

test.each([
  { typed: ' ', offered: [] },
  { typed: ' CH ', offered: ['Chain', 'Cheap'] },
  { typed: 'hot', offered: [] },
])('typing $typed offers $offered', ({ typed, offered }) => {
  expect(suggestTags(['Chain', 'Cheap', 'HOT', 'Imported', 'New build'], ['hot'], typed)).toEqual(offered);
});

test('who may not change the lead sees the tags alone', async () => {
  await openProfile({ lead: { tags: ['hot'] }, as: otherUser('manager') });
  expect(shown()).toEqual(['hot']);
  expect(screen.queryByRole('button', { name: /tag/ })).toBeNull();
  expect(screen.queryByRole('textbox', { name: 'New tag' })).toBeNull();
});
