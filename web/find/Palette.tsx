import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { FIND_MAX_LENGTH, FIND_MIN_LENGTH } from '#contract/find/find.calls.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { closeDialog, takeTyped } from '#web/commands/dialogs.ts';
import { useDebounced } from '#web/kit/debounce.ts';
import { PaletteDialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { Spinner } from '#web/kit/ui/Spinner.tsx';
import { useFind } from './find.data.ts';
import { Keys } from './Keys.tsx';
import { describeFound, FoundNote, findCommands, toFoundGroups, useRecentLeads } from './PaletteItems.tsx';
import { optionId, PaletteList } from './PaletteList.tsx';
import { useSelectedOption } from './use-selected-option.ts';

const DEBOUNCE_MS = 150;

/** One field that finds screens, actions, leads and users. */
export function Palette({ initialText }: { initialText: string }) {
  const [text, setText] = useState(initialText);
  const [open, setOpen] = useState(true);
  const chosen = useRef<() => void>(undefined);
  const [, navigate] = useLocation();
  const viewer = useViewer();
  const debounced = useDebounced(text, DEBOUNCE_MS);
  const found = useFind(debounced);

  const close = () => setOpen(false);
  /** The action runs once the dialog is gone: it may move the focus, or open the next dialog. */
  const choose = (action: () => void) => {
    chosen.current = action;
    close();
  };
  const onClosed = () => {
    closeDialog();
    chosen.current?.();
  };
  const closeOnShortcut = (event: KeyboardEvent) => {
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    close();
  };
  const onOpen = (path: string) => choose(() => navigate(path));
  const hasText = text.trim() !== '';
  const searched = text.trim().length >= FIND_MIN_LENGTH;
  /** Whether the results are those of the text, and not of the one before. */
  const current = searched && debounced.trim() === text.trim() && !found.isPending && !found.isPlaceholderData;

  const recent = useRecentLeads(viewer, onOpen);
  const commands = findCommands(text, choose);
  const results = searched ? toFoundGroups({ text, viewer, onOpen, found }) : [];
  const groups = [...(hasText ? [] : recent.groups), ...commands, ...results].filter(
    ({ options }) => options.length > 0,
  );
  // The commands are there at once, before the results and after the recent leads.
  const hasFirst = hasText && commands.some(({ options }) => options.some(({ atOnce }) => !atOnce));
  const isPending = !hasFirst && (hasText ? searched && !current && !found.isError : recent.isPending);
  const selection = useSelectedOption({ options: groups.flatMap(({ options }) => options), isPending });
  const listId = useId();
  const onType = (next: string) => {
    setText(next);
    selection.reset();
  };
  const takeTypeAhead = () => {
    const typed = takeTyped();
    setText((previous) => previous + typed.text);
    if (typed.entered) selection.enter();
  };

  return (
    <PaletteDialog open={open} onClose={close} title="Find anything" onClosed={onClosed}>
      <div className="flex min-h-0 flex-1 flex-col">
        <div className="flex shrink-0 items-center gap-3 border-b border-line px-4">
          <Search aria-hidden="true" className="size-5 shrink-0 text-muted" />
          <input
            role="combobox"
            aria-label="Find anything"
            aria-autocomplete="list"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={selection.selected && optionId(listId, selection.selected)}
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            value={text}
            onChange={({ target }) => onType(target.value)}
            onFocus={takeTypeAhead}
            onKeyDown={(event) => {
              closeOnShortcut(event);
              selection.onKeyDown(event);
            }}
            maxLength={FIND_MAX_LENGTH}
            placeholder="Name, phone, postcode, note, or a command…"
            className="h-14 min-w-0 flex-1 bg-transparent text-base text-ellipsis outline-none placeholder:text-muted"
          />
          {searched && !current && !found.isError && <Spinner className="text-muted" />}
          <button type="button" onClick={close} className="hit-area -mr-2 rounded-md p-2 hover:bg-sunken">
            <span className="sr-only">Close</span>
            <span aria-hidden="true" className="max-sm:hidden">
              <Keys keys="Escape" />
            </span>
            <X aria-hidden="true" className="size-5 text-muted sm:hidden" />
          </button>
        </div>
        <PaletteList id={listId} groups={groups} selected={selection.selected} onMove={selection.move} />
        {searched && current && <FoundNote found={found} text={text} />}
        <p role="status" className="sr-only">
          {searched && describeFound({ found, current, text })}
        </p>
        <Hints />
      </div>
    </PaletteDialog>
  );
}

function Hints() {
  return (
    <div
      aria-hidden="true"
      className="flex shrink-0 items-center gap-4 border-t border-line bg-paper px-4 py-2 text-xs text-muted max-sm:hidden"
    >
      <span className="inline-flex items-center gap-1.5">
        <Keys keys="ArrowUp" />
        <Keys keys="ArrowDown" /> move
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Keys keys="Enter" /> open
      </span>
      <span className="ml-auto inline-flex items-center gap-1.5">
        <Keys keys="Shift+?" /> all shortcuts
      </span>
    </div>
  );
}
