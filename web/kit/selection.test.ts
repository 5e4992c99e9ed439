import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useSelection } from './selection.ts';

function renderSelection(visibleIds: number[], scope = 'page 1') {
  const { result, rerender } = renderHook(
    (props: { scope: string; visibleIds: number[] }) => useSelection(props.scope, props.visibleIds),
    { initialProps: { scope, visibleIds } },
  );
  return {
    ids: () => [...result.current.ids],
    state: () => result.current.state,
    toggle: (id: number) => act(() => result.current.toggle(id)),
    toggleAll: () => act(() => result.current.toggleAll()),
    clear: () => act(() => result.current.clear()),
    show: (visibleIds: number[], scope = 'page 1') => rerender({ scope, visibleIds }),
  };
}

test('toggling a row selects it and then deselects it', () => {
  const selection = renderSelection([1, 2]);
  expect(selection.state()).toBe('none');
  selection.toggle(2);
  expect(selection.ids()).toEqual([2]);
  expect(selection.state()).toBe('some');
  selection.toggle(2);
  expect(selection.ids()).toEqual([]);
});

test('selecting every row one by one counts as all, and toggleAll then clears', () => {
  const selection = renderSelection([1, 2]);
  selection.toggle(1);
  selection.toggle(2);
  expect(selection.state()).toBe('all');
  selection.toggleAll();
  expect(selection.state()).toBe('none');
});

test('toggleAll on a partial selection selects every visible row', () => {
  const selection = renderSelection([1, 2, 3]);
  selection.toggle(3);
  selection.toggleAll();
  expect(selection.ids()).toEqual([1, 2, 3]);
  selection.clear();
  expect(selection.ids()).toEqual([]);
});

test('a row that leaves the list leaves the selection for good', () => {
  const selection = renderSelection([1, 2]);
  selection.toggleAll();
  selection.show([2]);
  expect(selection.ids()).toEqual([2]);
  selection.show([1, 2]);
  expect(selection.ids()).toEqual([2]);
});

test('another order of the same rows keeps the selection', () => {
  const selection = renderSelection([1, 2, 3]);
  selection.toggle(1);
  selection.show([3, 2, 1]);
  expect(selection.ids()).toEqual([1]);
});

test('another scope clears the selection, and returning to the first does not restore it', () => {
  const selection = renderSelection([1, 2]);
  selection.toggle(1);
  selection.show([1, 2], 'page 2');
  expect(selection.ids()).toEqual([]);
  selection.show([1, 2], 'page 1');
  expect(selection.ids()).toEqual([]);
});

test('an empty list has nothing to select', () => {
  const selection = renderSelection([]);
  selection.toggleAll();
  expect(selection.state()).toBe('none');
});
