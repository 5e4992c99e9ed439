import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { DETAIL_FIELDS, DETAIL_KEYS } from '#contract/leads/fields/detail-fields.ts';
import { changeCustomFields, changePhone, changeWebsite, confirmPhone } from '#contract/leads/leads.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { toasts } from '#web/kit/toasts.ts';
import { enableKeys } from '#web/testing/keyboard.ts';
import {
  bakery,
  button,
  lead,
  openProfile,
  otherUser,
  press,
  priya,
  showLead,
  UUID,
} from '#web/testing/lead-profile.tsx';

test('the address has a link to Google Maps', async () => {
  await openProfile();
  expect(screen.getByText('12 Mill Lane, York YO1 7AB, UK')).toBeVisible();
  const link = screen.getByRole('link', { name: 'View on Google Maps' });
  expect(link).toHaveAttribute(
    'href',
    'https://www.google.com/maps/search/?api=1&query=Blue%20Door%20Bakery%2C%2012%20Mill%20Lane%2C%20York%20YO1%207AB%2C%20UK',
  );
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', 'noopener noreferrer');
});

test.each([
  { what: 'has no address', given: { business: { formattedAddress: null } }, text: 'No address available' },
  { what: 'has an empty address', given: { business: { formattedAddress: '  ' } }, text: 'No address available' },
  { what: 'was imported', given: { lead: { tags: ['Imported'] } }, text: bakery.formattedAddress as string },
])('a business that $what has no link to Google Maps', async ({ given, text }) => {
  await openProfile(given);
  expect(screen.getByText(text)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'View on Google Maps' })).toBeNull();
});

test("dates are in the team's time zone", async () => {
  await openProfile({ lead: { lastContactedAt: '2026-07-02T09:05:00.000Z' } });
  expect(screen.getByText('Assigned:').nextElementSibling).toHaveTextContent('Jul 1, 2026');
  expect(screen.getByText('Last Contact:').nextElementSibling).toHaveTextContent('Jul 2, 2026');
});

test('a lead without a contact has no last contact', async () => {
  await openProfile();
  expect(screen.queryByText('Last Contact:')).toBeNull();
});

test('the profile says how the lead came', async () => {
  await openProfile({ lead: { source: { kind: 'file', name: 'spring.csv' } } });
  expect(screen.getByText('Source:').nextElementSibling).toHaveTextContent('File: spring.csv');
});

test('a lead from before sources were recorded has none', async () => {
  await openProfile();
  expect(screen.queryByText('Source:')).toBeNull();
});

test('the holder is shown to other users', async () => {
  await openProfile({ as: otherUser('admin') });
  expect(screen.getByText('Holder:').nextElementSibling).toHaveTextContent('Priya Shah');
});

test('phone, website and email are links; the contact person is text', async () => {
  await openProfile({ lead: { customFields: { email: 'ada@bluedoor.example', contactPerson: 'Ada Byrne' } } });
  expect(screen.getByRole('link', { name: '020 7946 0018' })).toHaveAttribute('href', 'tel:02079460018');
  expect(screen.getByRole('link', { name: 'https://bluedoor.example' })).toHaveAttribute('target', '_blank');
  expect(screen.getByRole('link', { name: 'ada@bluedoor.example' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^mailto:/),
  );
  expect(screen.getByText('Ada Byrne')).toBeVisible();
});

test.each(['Not provided', null])('a website of %j counts as none', async (website) => {
  await openProfile({ business: { website } });
  expect(button('Add website')).toBeVisible();
  expect(screen.queryByText('Not provided')).toBeNull();
});

test('a javascript: website is not a link', async () => {
  await openProfile({ business: { website: 'javascript:alert(1)' } });
  expect(screen.getByText('javascript:alert(1)').closest('a')).toBeNull();
});

const empty = { business: { phone: null, website: null } };
const filled = { lead: { customFields: { email: 'old@example.com', contactPerson: 'Old Name', value: '5' } } };

const FIELDS = [
  {
    noun: 'phone',
    label: 'Phone',
    type: 'tel',
    call: changePhone,
    path: '/api/business/31/update-phone',
    text: ' 01904 000000 ',
    body: { phone: '01904 000000' },
    response: { ...bakery, phone: '01904 000000' },
    shows: '01904 000000',
    success: 'Phone updated',
    errorTitle: 'Phone update failed',
  },
  {
    noun: 'website',
    label: 'Website',
    type: 'url',
    call: changeWebsite,
    path: '/api/business/31/update-website',
    text: ' new.example ',
    body: { website: 'https://new.example' },
    response: { ...bakery, website: 'https://new.example' },
    shows: 'https://new.example',
    success: 'Website updated',
    errorTitle: 'Website update failed',
  },
  {
    noun: 'email',
    label: 'Email',
    type: 'email',
    call: changeCustomFields.byId,
    path: '/api/business-custom-fields/5',
    text: ' new@example.com ',
    body: { customFields: { email: 'new@example.com' } },
    response: { ...lead, customFields: { email: 'new@example.com' } },
    shows: 'new@example.com',
    success: 'Email updated',
    errorTitle: 'Email update failed',
  },
  {
    noun: 'contact person',
    label: 'Contact person',
    type: 'text',
    call: changeCustomFields.byId,
    path: '/api/business-custom-fields/5',
    text: ' New Name ',
    body: { customFields: { contactPerson: 'New Name' } },
    response: { ...lead, customFields: { contactPerson: 'New Name' } },
    shows: 'New Name',
    success: 'Contact person updated',
    errorTitle: 'Contact person update failed',
  },
  {
    noun: 'value',
    label: 'Value',
    type: 'text',
    call: changeCustomFields.byId,
    path: '/api/business-custom-fields/5',
    text: ' 1500 ',
    body: { customFields: { value: '1500' } },
    response: { ...lead, customFields: { value: '1500' } },
    shows: '£1,500',
    success: 'Value updated',
    errorTitle: 'Value update failed',
  },
] as const;

test.each(DETAIL_KEYS)('the detail %s is among the tested fields', (key) => {
  expect(FIELDS.map(({ label }) => label)).toContain(DETAIL_FIELDS[key].label);
});

describe.each(FIELDS)(
  '$noun',
  ({ noun, label, type, call, path, text, body, response, shows, success, errorTitle }) => {
    const field = () => screen.getByRole('textbox', { name: label });
    const closed = () => waitFor(() => expect(screen.queryByRole('textbox', { name: label })).toBeNull());

    test('is added', async () => {
      const { server, toasts } = await openProfile(empty);
      server.responds(call, response as never);
      await press(`Add ${noun}`);
      expect(field()).toHaveFocus();
      expect(field()).toHaveAttribute('type', type);
      expect(field()).toHaveValue('');

      await userEvent.type(field(), text);
      await press('Save');

      expect(await screen.findByText(shows)).toBeVisible();
      expect(server.last(call)).toMatchObject({ path, body });
      expect(server.times(call)).toBe(1);
      expect(toasts).toEqual([success]);
      expect(button(`Edit ${noun}`)).toHaveFocus();
    });

    test('is saved on blur', async () => {
      const { server, toasts } = await openProfile(filled);
      server.responds(call, response as never);
      await press(`Edit ${noun}`);
      await userEvent.clear(field());
      await userEvent.type(field(), text);
      await userEvent.click(screen.getByRole('heading', { level: 1 }));

      await closed();
      expect(server.last(call)).toMatchObject({ path, body });
      expect(server.times(call)).toBe(1);
      expect(toasts).toEqual([success]);
    });

    test.each([
      ['Cancel', () => press('Cancel')],
      ['Escape', () => userEvent.keyboard('{Escape}')],
    ])('is discarded by %s', async (_, discard) => {
      const { server, toasts } = await openProfile(filled);
      await press(`Edit ${noun}`);
      await userEvent.type(field(), 'x');
      await discard();

      await closed();
      expect(server.times(call)).toBe(0);
      expect(toasts).toEqual([]);
      expect(button(`Edit ${noun}`)).toHaveFocus();
    });

    test('is not sent unchanged', async () => {
      const { server } = await openProfile(filled);
      await press(`Edit ${noun}`);
      await userEvent.type(field(), '  {Enter}');
      await closed();
      await press(`Edit ${noun}`);
      await userEvent.click(screen.getByRole('heading', { level: 1 }));
      await closed();
      expect(server.times(call)).toBe(0);
    });

    test('is sent once, whatever is pressed while it is saved', async () => {
      const { server } = await openProfile(filled);
      const held = server.holds(call);
      await press(`Edit ${noun}`);
      await userEvent.type(field(), 'x{Enter}{Enter}{Escape}');
      expect(button('Save')).toHaveAttribute('aria-disabled', 'true');
      expect(button('Cancel')).toBeDisabled();
      await userEvent.click(screen.getByRole('heading', { level: 1 }));
      held.respond(response as never);
      await closed();
      expect(server.times(call)).toBe(1);
    });

    test('stays open with the reason when refused', async () => {
      const { server, toasts } = await openProfile(filled);
      server.refuses(call, 'validation_failed', 'That will not do');
      await press(`Edit ${noun}`);
      await userEvent.type(field(), 'x{Enter}');

      expect(await screen.findByText('That will not do')).toBeVisible();
      expect(toasts).toEqual([`${errorTitle} | 400: That will not do`]);
      expect(field()).toBeInvalid();
      expect(field()).toHaveAccessibleDescription('That will not do');

      // Blur does not send the refused text again; Save does.
      await userEvent.click(screen.getByRole('heading', { level: 1 }));
      expect(server.times(call)).toBe(1);
      server.responds(call, response as never);
      await press('Save');
      await closed();
      expect(server.times(call)).toBe(2);
    });

    test('has no buttons for a viewer who may not change the lead', async () => {
      await openProfile({ ...empty, as: otherUser('manager') });
      expect(screen.queryByRole('button', { name: new RegExp(`(add|edit) ${noun}`, 'i') })).toBeNull();
    });
  },
);

test('a phone number that cannot be saved, without a message in the response', async () => {
  const { server, toasts } = await openProfile();
  server.breaks(changePhone, 502, '');
  await press('Edit phone');
  await userEvent.keyboard('1{Enter}');
  await waitFor(() => expect(toasts).toEqual(['Phone update failed | Failed to update phone number']));
});

test('an emptied field is cleared', async () => {
  const { server } = await openProfile();
  server.responds(changeWebsite, { ...bakery, website: null });
  await press('Edit website');
  await userEvent.clear(screen.getByRole('textbox', { name: 'Website' }));
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('button', { name: 'Add website' })).toHaveFocus();
  expect(server.last(changeWebsite)?.body).toEqual({ website: '' });
});

test('a text that is no URL is sent unchanged, for the server to refuse', async () => {
  const { server, toasts } = await openProfile();
  server.refuses(changeWebsite, 'invalid_url', 'Please enter a valid website address');
  await press('Edit website');
  await userEvent.clear(screen.getByRole('textbox', { name: 'Website' }));
  await userEvent.keyboard('javascript:alert(1){Enter}');
  expect(await screen.findByText('Please enter a valid website address')).toBeVisible();
  expect(server.last(changeWebsite)?.body).toEqual({ website: 'javascript:alert(1)' });
  expect(toasts).toEqual(['Website update failed | 400: Please enter a valid website address']);
});

test('moving the focus to the buttons of the editor does not save', async () => {
  const { server } = await openProfile();
  await press('Edit phone');
  await userEvent.keyboard('9');
  await userEvent.tab();
  expect(button('Save')).toHaveFocus();
  await userEvent.tab();
  expect(button('Cancel')).toHaveFocus();
  expect(server.times(changePhone)).toBe(0);
  await userEvent.keyboard('{Enter}');
  expect(button('Edit phone')).toHaveFocus();
  expect(server.times(changePhone)).toBe(0);
});

test('a wrong number is shown as such and not offered until it is confirmed', async () => {
  const { server, toasts } = await openProfile({ business: { phoneIsWrong: true } });
  server.responds(confirmPhone, { ...bakery, phoneIsWrong: false });
  expect(screen.getByText('Wrong number')).toBeVisible();
  expect(screen.getByText('020 7946 0018').tagName).toBe('S');
  expect(screen.queryByRole('link', { name: /020|Call/ })).toBeNull();
  await press('Number is right');
  await waitFor(() => expect(toasts).toEqual(['Number marked as right']));
  expect(server.last(confirmPhone)?.path).toBe(`/api/business/${bakery.id}/confirm-phone`);
  expect(screen.queryByText('Wrong number')).toBeNull();
  expect(screen.getByRole('link', { name: '020 7946 0018' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Call' })).toBeVisible();
});

test('a viewer who may only read cannot say that a number is right', async () => {
  await openProfile({ business: { phoneIsWrong: true }, as: otherUser('manager') });
  expect(screen.getByText('Wrong number')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Number is right' })).toBeNull();
});

test('what is typed into a field is kept when the profile is left, and opens with it again', async () => {
  const { unmount } = await openProfile();
  await press('Edit phone');
  await userEvent.clear(screen.getByRole('textbox', { name: 'Phone' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Phone' }), '01904 7');
  unmount();
  expect(toasts.current()?.title).toBe('Draft kept');

  showLead();
  expect(await screen.findByRole('textbox', { name: 'Phone' })).toHaveValue('01904 7');
  expect(screen.getByRole('textbox', { name: 'Phone' })).not.toHaveFocus();
  await press('Cancel');
  expect(screen.queryByRole('textbox', { name: 'Phone' })).toBeNull();
  expect(readDraft(priya.id, `${UUID}.phone`)).toBeUndefined();
});

test.each(['Save', 'Cancel'])('Escape on %s closes the field and stays on the profile', async (name) => {
  await openProfile();
  enableKeys();
  await press('Edit phone');
  button(name).focus();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('textbox', { name: 'Phone' })).toBeNull();
  expect(window.location.pathname).not.toBe('/crm');
});
