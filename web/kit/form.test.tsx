import { useMutation } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { createUser } from '#contract/users/users.calls.ts';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { send } from './api.ts';
import { Form, useForm } from './form.tsx';
import { Button } from './ui/Button.tsx';

const EMPTY = { username: '', email: '', fullName: '', password: '' };

function AccountForm() {
  const create = useMutation({ mutationFn: (body: typeof EMPTY) => send(createUser, { body }) });
  const form = useForm(createUser.body, { defaults: EMPTY, onSubmit: create.mutateAsync });
  return (
    <Form onSubmit={form.submit} aria-label="Account">
      <TextField label="Username" hint="Letters and digits" {...form.field('username')} />
      <TextField label="Email" {...form.field('email')} />
      <TextField label="Full name" {...form.field('fullName')} />
      <TextField label="Password" {...form.field('password')} />
      <Button type="submit" busy={form.busy}>
        Create
      </Button>
    </Form>
  );
}

async function fill() {
  await userEvent.type(screen.getByLabelText('Username'), 'grace');
  await userEvent.type(screen.getByLabelText('Email'), 'grace@example.com');
  await userEvent.type(screen.getByLabelText('Full name'), 'Grace Hopper');
  await userEvent.type(screen.getByLabelText('Password'), 'compilers');
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Create' }));

test('an invalid form shows the contract’s messages at its fields and focuses the first', async () => {
  const server = fakeServer();
  show(<AccountForm />);

  await submit();

  const username = await screen.findByLabelText('Username');
  await waitFor(() => expect(username).toHaveFocus());
  expect(username).toBeInvalid();
  expect(username).toHaveAccessibleDescription('Username must be at least 3 characters Letters and digits');
  expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Must be a valid email');
  expect(server.requests).toEqual([]);
});

test('field errors of the server are shown at their fields, which keep their text', async () => {
  const server = fakeServer();
  server.refuses(createUser, 'validation_failed', 'Must be a valid email', {
    errors: [
      { path: 'email', message: 'Must be a valid email' },
      { path: 'elsewhere', message: 'Not on this form' },
    ],
  });
  const { toasts } = show(<AccountForm />);
  await fill();

  await submit();

  await waitFor(() => expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Must be a valid email'));
  expect(screen.getByLabelText('Email')).toHaveFocus();
  expect(screen.getByLabelText('Username')).toHaveValue('grace');
  expect(screen.getByLabelText('Password')).toHaveValue('compilers');
  expect(toasts).toEqual(['Error | 400: Must be a valid email']);
});

test('a duplicate username is shown at the username field', async () => {
  fakeServer().refuses(createUser, 'duplicate_username', 'This username is taken');
  show(<AccountForm />);
  await fill();

  await submit();

  await waitFor(() => expect(screen.getByLabelText('Username')).toHaveFocus());
  expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('This username is taken Letters and digits');
});

test('a pending form cannot be submitted again', async () => {
  const server = fakeServer();
  server.holds(createUser);
  show(<AccountForm />);
  await fill();

  await submit();
  await submit();

  expect(screen.getByRole('button', { name: 'Create' })).toHaveAttribute('aria-disabled', 'true');
  expect(server.times(createUser)).toBe(1);
});
