import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Checkbox, Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import { PasswordField } from '#web/kit/ui/forms/PasswordField.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { AlertDialog, Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { Menu, MenuItem } from '#web/kit/ui/overlays/Menu.tsx';
import { CardCell, CardHeadCell, CardRow, CardTable } from '#web/kit/ui/tables/CardTable.tsx';
import { Pagination } from '#web/kit/ui/tables/Pagination.tsx';
import { show } from '#web/testing/show.tsx';
import { Button, ButtonLink } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import { ProgressBar } from './ProgressBar.tsx';
import { SafeLink } from './SafeLink.tsx';
import { Tabs } from './Tabs.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

test('a busy button keeps the focus, ignores clicks and submits nothing', async () => {
  const onClick = vi.fn();
  const onSubmit = vi.fn();
  const form = (busy: boolean) => (
    <form onSubmit={onSubmit}>
      <input aria-label="Name" />
      <Button type="submit" busy={busy} onClick={onClick}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();

  rerender(form(true));
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(button);
  await userEvent.keyboard('{Enter}');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '{Enter}');
  expect(onClick).not.toHaveBeenCalled();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('the menu of a busy button does not open', async () => {
  const menu = (busy: boolean) => (
    <Menu busy={busy} trigger={<Button busy={busy}>Export</Button>}>
      <MenuItem onSelect={() => {}}>CSV File</MenuItem>
    </Menu>
  );
  const { rerender } = render(menu(true));
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(screen.queryByRole('menuitem')).toBeNull();

  rerender(menu(false));
  await userEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(screen.getByRole('menuitem', { name: 'CSV File' })).toBeVisible();
});

test('a segmented control shows and changes its value', async () => {
  const onValueChange = vi.fn();
  const options = [
    { value: 'cards', label: 'Cards' },
    { value: 'table', label: 'Table' },
  ] as const;
  render(<SegmentedControl label="View" options={options} value="cards" onValueChange={onValueChange} />);
  expect(screen.getByRole('group', { name: 'View' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Cards', pressed: true })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Table', pressed: false }));
  expect(onValueChange).toHaveBeenCalledWith('table');
});

test('a link with the role of a button navigates by click, Enter and the space bar', async () => {
  show(
    <ButtonLink role="button" href="/crm">
      View Profile
    </ButtonLink>,
  );
  const button = screen.getByRole('button', { name: 'View Profile' });
  expect(button).toHaveAttribute('href', '/crm');
  for (const press of [
    () => userEvent.click(button),
    () => userEvent.keyboard('{Enter}'),
    () => userEvent.keyboard(' '),
  ]) {
    window.history.replaceState(null, '', '/');
    button.focus();
    await press();
    expect(window.location.pathname).toBe('/crm');
  }
});

test('a hidden label is an accessible name and no text', () => {
  render(
    <>
      <Checkbox label="Select Blue Door Bakery" labelHidden />
      <SelectField label="Items per page" labelHidden options={[]} />
    </>,
  );
  expect(screen.getByRole('checkbox', { name: 'Select Blue Door Bakery' })).toBeVisible();
  expect(screen.getByRole('combobox', { name: 'Items per page' })).toBeVisible();
  expect(screen.queryByText(/Blue Door Bakery|Items per page/)).toBeNull();
});

describe('SafeLink', () => {
  test('opens a URL in a new tab without an opener', () => {
    render(<SafeLink to="https://bakery.example">Website</SafeLink>);
    const link = screen.getByRole('link', { name: 'Website' });
    expect(link).toHaveAttribute('href', 'https://bakery.example');
    expect(link).toHaveAttribute('target', '_blank');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'https://a@b.example', 'Not provided'])(
    '%s stays text',
    (to) => {
      render(<SafeLink to={to} />);
      expect(screen.queryByRole('link')).toBeNull();
      expect(screen.getByText(to)).toBeVisible();
    },
  );
});

describe('ThemeSwitch', () => {
  const theme = () => document.documentElement.dataset.theme;
  const themeColors = () => [...document.head.querySelectorAll('meta')].map(({ media }) => media);
  beforeEach(() => {
    document.head.innerHTML = '<meta name="theme-color" data-theme="light"><meta name="theme-color" data-theme="dark">';
  });
  afterEach(() => {
    document.head.innerHTML = '';
  });

  test('follows the system until a theme is chosen, and stores the choice', async () => {
    render(<ThemeSwitch />);
    expect(screen.getByRole('radio', { name: 'System' })).toBeChecked();
    expect(theme()).toBeUndefined();

    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(theme()).toBe('dark');
    expect(localStorage.getItem('highstreet.theme')).toBe('dark');
    expect(themeColors()).toEqual(['not all', 'all']);

    await userEvent.click(screen.getByRole('radio', { name: 'System' }));
    expect(theme()).toBeUndefined();
    expect(localStorage.getItem('highstreet.theme')).toBeNull();
    expect(themeColors()).toEqual(['(prefers-color-scheme: light)', '(prefers-color-scheme: dark)']);
  });

  test('follows a choice in another tab', () => {
    render(<ThemeSwitch />);
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'highstreet.theme', newValue: 'light' })));
    expect(screen.getByRole('radio', { name: 'Light' })).toBeChecked();
    act(
      () => void window.dispatchEvent(new StorageEvent('storage', { key: 'highstreet.theme', newValue: 'nonsense' })),
    );
    expect(screen.getByRole('radio', { name: 'System' })).toBeChecked();
  });
});

describe('fields', () => {
  test('a password can be shown and pasted', async () => {
    render(<PasswordField label="Password" autoComplete="current-password" />);
    const field = screen.getByLabelText('Password');
    await userEvent.click(field);
    await userEvent.paste('correct horse');

    expect(field).toHaveValue('correct horse');
    expect(field).toHaveAttribute('type', 'password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(field).toHaveAttribute('type', 'text');
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(field).toHaveAttribute('type', 'password');
  });

  test('a select has its label and error', async () => {
    const options = [
      { value: 'admin', label: 'Admin' },
      { value: 'user', label: 'User' },
    ];
    render(<SelectField label="Role" options={options} defaultValue="user" error="Pick one" />);

    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Admin');

    expect(screen.getByLabelText('Role')).toHaveValue('admin');
    expect(screen.getByLabelText('Role')).toHaveAccessibleDescription('Pick one');
  });

  test('the tooltip of a choice has what may not fit', () => {
    const options = [{ value: '1', label: 'Bartholomew Featherstonehaugh-Cholmondeley' }];
    render(<SelectField label="Assigned User" options={options} value="1" onChange={() => {}} />);
    expect(screen.getByRole('combobox')).toHaveAttribute('title', 'Bartholomew Featherstonehaugh-Cholmondeley');
  });

  test('checkboxes and switches have names', async () => {
    render(
      <>
        <Checkbox label="Select all" labelHidden indeterminate />
        <Switch label="Hide Closed Leads" />
      </>,
    );
    expect(screen.getByRole('checkbox', { name: 'Select all' })).toBePartiallyChecked();
    await userEvent.click(screen.getByRole('switch', { name: 'Hide Closed Leads' }));
    expect(screen.getByRole('switch', { name: 'Hide Closed Leads' })).toBeChecked();
  });
});

test('a table whose rows are cards on a phone is a table for screen readers, with the names of columns in the cards', () => {
  render(
    <CardTable label="Users" head={<CardHeadCell>Role</CardHeadCell>}>
      <CardRow>
        <CardCell label="Role">Manager</CardCell>
      </CardRow>
    </CardTable>,
  );
  const table = within(screen.getByRole('table', { name: 'Users' }));
  expect(table.getByRole('columnheader', { name: 'Role' })).toBeVisible();
  expect(table.getByRole('cell', { name: 'Manager' })).toHaveAttribute('data-label', 'Role');
  // Safari drops the roles that are not given when the rows are laid out as a grid.
  for (const element of document.querySelectorAll('table, thead, tbody, tr, th, td')) {
    expect(element).toHaveAttribute('role');
  }
});

test.each([
  { percent: 0, now: '0' },
  { percent: 99.9, now: '99' },
  { percent: 100, now: '100' },
])('a progress bar of $percent% says $now', ({ percent, now }) => {
  render(<ProgressBar label="Import" percent={percent} valueText="some rows" />);
  const bar = screen.getByRole('progressbar', { name: 'Import' });
  expect(bar).toHaveAttribute('aria-valuenow', now);
  expect(bar).toHaveAttribute('aria-valuetext', 'some rows');
});

test('pagination is disabled at either end', async () => {
  const onPage = vi.fn();
  const { rerender } = render(<Pagination label="Users" page={1} pages={3} onPage={onPage} />);
  expect(screen.getByText('Page 1 of 3')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(onPage).toHaveBeenCalledWith(2);

  rerender(<Pagination label="Users" page={1} pages={0} onPage={onPage} />);
  expect(screen.getByText('Page 1 of 1')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
});

describe('tabs', () => {
  const tabs = [
    { value: 'a', label: 'Search Businesses', content: <input aria-label="Business" /> },
    { value: 'b', label: 'CRM Dashboard', content: <input aria-label="Lead" /> },
  ];
  function Example({ keepMounted }: { keepMounted?: boolean }) {
    const [value, setValue] = useState('a');
    return <Tabs label="Home" tabs={tabs} value={value} onValueChange={setValue} keepMounted={keepMounted} />;
  }
  const open = (name: string) => userEvent.click(screen.getByRole('tab', { name }));

  test('only the open panel is mounted, named by its tab', async () => {
    render(<Example />);
    expect(screen.getByRole('tab', { name: 'Search Businesses', selected: true })).toBeVisible();
    await open('CRM Dashboard');
    expect(within(screen.getByRole('tabpanel', { name: 'CRM Dashboard' })).getByLabelText('Lead')).toBeVisible();
    expect(screen.queryByLabelText('Business')).toBeNull();
  });

  test('panels that stay mounted keep their content and are hidden', async () => {
    render(<Example keepMounted />);
    await userEvent.type(screen.getByLabelText('Business'), 'Bakery');
    await open('CRM Dashboard');
    expect(screen.getAllByRole('tabpanel')).toEqual([screen.getByRole('tabpanel', { name: 'CRM Dashboard' })]);
    expect(screen.getByLabelText('Business')).not.toBeVisible();
    await open('Search Businesses');
    expect(screen.getByRole('textbox')).toHaveValue('Bakery');
  });
});

test('Ctrl and Enter in a text of several lines submit its form, Enter alone does not', async () => {
  const onSubmit = vi.fn((event: SubmitEvent) => event.preventDefault());
  const { container } = render(
    <form>
      <TextareaField label="Notes" />
    </form>,
  );
  container.querySelector('form')?.addEventListener('submit', onSubmit);
  await userEvent.type(screen.getByLabelText('Notes'), 'One{Enter}two');
  expect(onSubmit).not.toHaveBeenCalled();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await userEvent.keyboard('{Meta>}{Enter}{/Meta}');
  expect(onSubmit).toHaveBeenCalledTimes(2);
  expect(screen.getByLabelText('Notes')).toHaveValue('One\ntwo');
});

describe('dialogs', () => {
  function Example() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Edit
        </button>
        <Dialog open={open} onClose={() => setOpen(false)} title="Edit User" description="Change what you like.">
          <input aria-label="Name" />
        </Dialog>
      </>
    );
  }

  test('a dialog has a name, takes the focus, and returns it on Escape', async () => {
    render(<Example />);
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));

    const dialog = screen.getByRole('dialog', { name: 'Edit User' });
    expect(dialog).toHaveAccessibleDescription('Change what you like.');
    expect(screen.getByLabelText('Name')).toHaveFocus();

    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus();
  });

  test('an alert dialog stays open while its action is pending', async () => {
    const onClose = vi.fn();
    const onConfirm = vi.fn();
    const alert = {
      open: true,
      onClose,
      title: 'Confirm Delete',
      description: 'It cannot be undone.',
      confirmLabel: 'Delete',
      onConfirm,
    };
    const { rerender } = render(<AlertDialog {...alert} />);
    expect(screen.getByRole('alertdialog', { name: 'Confirm Delete' })).toHaveAccessibleDescription(
      'It cannot be undone.',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    expect(onConfirm).toHaveBeenCalledOnce();

    rerender(<AlertDialog {...alert} busy />);
    await userEvent.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();

    rerender(<AlertDialog {...alert} />);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledOnce();
  });
});

test('a tooltip opens after 700 ms', async () => {
  vi.useFakeTimers();
  show(<IconButton icon={Trash2} label="Delete this user" />);
  const button = screen.getByRole('button', { name: 'Delete this user' });

  fireEvent.pointerMove(button, { pointerType: 'mouse' });
  act(() => vi.advanceTimersByTime(699));
  expect(screen.queryByRole('tooltip')).toBeNull();
  act(() => vi.advanceTimersByTime(1));
  expect(screen.getByRole('tooltip')).toHaveTextContent('Delete this user');
});
