import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Role } from '#contract/users/user.ts';
import {
  COMMAND_NAMES,
  COMMANDS,
  type CommandHandlers,
  OUTCOME_COMMANDS,
  STATUS_COMMANDS,
  useCommands,
} from '#web/commands/commands.ts';
import { toasts } from '#web/kit/toasts.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { ada } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { Commands } from './Commands.tsx';
import { setSingleKeys } from './single-keys.ts';

function Screen({ handlers }: { handlers: CommandHandlers }) {
  useCommands(handlers);
  return (
    <>
      <input aria-label="Text" />
      <input type="checkbox" aria-label="Box" />
      <select aria-label="Choice" />
    </>
  );
}

function showCommands(handlers: CommandHandlers = {}, role: Role = 'admin') {
  fakeServer();
  return show(
    <>
      <Screen handlers={handlers} />
      <Commands />
    </>,
    { as: { ...ada, role } },
  );
}

test('no key is used twice where both commands can run', () => {
  for (const group of ['On a lead', 'In a list of leads'] as const) {
    const together = COMMAND_NAMES.filter((name) => [group, 'Anywhere', 'Go to'].includes(COMMANDS[name].group));
    // While leads are worked through, the digits log outcomes instead of setting a status.
    const outcomes = Object.values(OUTCOME_COMMANDS);
    const statuses = STATUS_COMMANDS.map(({ command }) => command);
    for (const instead of [outcomes, statuses]) {
      const keys = together.filter((name) => !instead.includes(name)).flatMap((name) => COMMANDS[name].keys);
      expect(new Set(keys).size).toBe(keys.length);
    }
  }
});

test.each([
  ['gl', '/crm'],
  ['gs', '/search'],
  ['gp', '/progress'],
  ['gi', '/import'],
  ['gu', '/users'],
  ['gc', '/changes'],
  ['gv', '/coverage'],
  ['gr', '/reports'],
  ['gd', '/duplicates'],
  ['ga', '/audit'],
])('%s goes to %s', async (keys, path) => {
  showCommands();
  await userEvent.keyboard(keys);
  expect(window.location.pathname).toBe(path);
});

test('keys of screens that the role does not have do nothing', async () => {
  showCommands({}, 'user');
  await userEvent.keyboard('gpgiguga');
  expect(window.location.pathname).toBe('/');
});

test('the last key of a sequence does not run its own command', async () => {
  const logActivity = vi.fn();
  showCommands({ logActivity });
  await userEvent.keyboard('gl');
  expect(logActivity).not.toHaveBeenCalled();
  await userEvent.keyboard('l');
  expect(logActivity).toHaveBeenCalledOnce();
});

test('keys do nothing in a field, and work on a checkbox', async () => {
  const call = vi.fn();
  showCommands({ call });
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'c');
  screen.getByRole('combobox', { name: 'Choice' }).focus();
  await userEvent.keyboard('c');
  expect(call).not.toHaveBeenCalled();
  screen.getByRole('checkbox', { name: 'Box' }).focus();
  await userEvent.keyboard('c');
  expect(call).toHaveBeenCalledOnce();
});

test('keys do nothing with another modifier, or while a dialog is open', async () => {
  const call = vi.fn();
  showCommands({ call });
  await userEvent.keyboard('{Control>}c{/Control}{Alt>}c{/Alt}');
  await userEvent.keyboard('{Shift>}?{/Shift}');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await userEvent.keyboard('c');
  expect(call).not.toHaveBeenCalled();
});

test('? lists every key that the role has', async () => {
  showCommands({}, 'user');
  await userEvent.keyboard('{Shift>}?{/Shift}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  const terms = dialog.getAllByRole('term').map((term) => term.textContent);
  const expected = COMMAND_NAMES.filter((name) => COMMANDS[name].keys.length && !COMMANDS[name].role);
  expect(terms.toSorted()).toEqual(expected.map((name) => COMMANDS[name].label).toSorted());
  expect(dialog.getByText('Leads').closest('div')).toHaveTextContent('LeadsGthenL');
});

test('single keys can be switched off; Ctrl K still works', async () => {
  Element.prototype.scrollIntoView ??= () => {};
  const call = vi.fn();
  showCommands({ call });
  await userEvent.keyboard('{Shift>}?{/Shift}');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await userEvent.click(within(dialog).getByRole('switch', { name: 'Keyboard shortcuts' }));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.keyboard('c/');
  expect(call).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.keyboard('{Control>}k{/Control}');
  await screen.findByRole('dialog', { name: 'Find anything' });
});

describe('z', () => {
  // The store of toasts ignores a key that is pressed twice, and is shared by these tests.
  let now = Date.now();
  beforeEach(() => {
    now += 60_000;
    vi.useFakeTimers({ toFake: ['Date'], now });
  });

  test('undoes what the toast says, and only while it is shown', async () => {
    const onUndo = vi.fn();
    showCommands();
    act(() => toasts.show({ title: 'Status updated', onUndo }));
    await userEvent.keyboard('z');
    expect(onUndo).toHaveBeenCalledOnce();
    expect(toasts.current()).toBeUndefined();
    vi.advanceTimersByTime(1_000);
    await userEvent.keyboard('z');
    expect(onUndo).toHaveBeenCalledOnce();
  });

  test('is typed in a field, and does nothing for a toast without "Undo"', async () => {
    const onUndo = vi.fn();
    showCommands();
    act(() => toasts.show({ title: 'Tag added', onUndo }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'z');
    expect(screen.getByRole('textbox', { name: 'Text' })).toHaveValue('z');
    expect(onUndo).not.toHaveBeenCalled();
    act(() => toasts.show({ title: 'Business deleted' }));
    screen.getByRole('checkbox', { name: 'Box' }).focus();
    await userEvent.keyboard('z');
    expect(toasts.current()?.title).toBe('Business deleted');
  });

  test('does nothing while single keys are off', async () => {
    const onUndo = vi.fn();
    showCommands();
    setSingleKeys(ada.id, false);
    act(() => toasts.show({ title: 'Status updated', onUndo }));
    await userEvent.keyboard('z');
    expect(onUndo).not.toHaveBeenCalled();
    setSingleKeys(ada.id, true);
    await userEvent.keyboard('z');
    expect(onUndo).toHaveBeenCalledOnce();
  });

  test('pressed twice or held does not undo the undo', async () => {
    const undoUndo = vi.fn();
    showCommands();
    const onUndo = () => toasts.show({ title: 'Undone', onUndo: undoUndo });
    act(() => toasts.show({ title: 'Status updated', onUndo }));
    await userEvent.keyboard('zz{z>3/}');
    expect(toasts.current()?.title).toBe('Undone');
    expect(undoUndo).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    await userEvent.keyboard('z');
    expect(undoUndo).toHaveBeenCalledOnce();
  });
});
