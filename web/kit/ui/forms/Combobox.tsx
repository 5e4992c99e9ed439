import { clsx } from 'clsx';
import { type UseComboboxState, type UseComboboxStateChangeOptions, useCombobox } from 'downshift';
import type { ComponentProps } from 'react';
import { Field, type FieldProps, lineControlClass } from './Field.tsx';

type InputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'onSelect' | 'size'>;

interface Props extends FieldProps, InputProps {
  value: string;
  onChange: (value: string) => void;
  /** What to offer for the current value. The list is closed while this is empty. */
  suggestions: readonly string[];
  /** Called when a suggestion is picked; by default it becomes the value. */
  onSelect?: (suggestion: string) => void;
  /** The name of the list for screen readers. */
  listLabel?: string;
}

/** A text field with suggestions. Any other text may be typed as well. */
export function Combobox(props: Props) {
  const { label, hint, error, labelHidden, className, ...combobox } = props;
  return (
    <Field label={label} hint={hint} error={error} labelHidden={labelHidden} className={className}>
      {(control) => <ComboboxInput {...combobox} {...control} />}
    </Field>
  );
}

type ComboboxInputProps = Omit<Props, keyof FieldProps> & { id: string };

function ComboboxInput(props: ComboboxInputProps) {
  const { id, value, onChange, suggestions, onSelect = onChange, listLabel = 'Suggestions', ref, ...input } = props;
  const combobox = useCombobox<string>({
    items: [...suggestions],
    inputId: id,
    environment: withoutTouchEnd,
    inputValue: value,
    // The text is the only state: picking a suggestion twice must call onSelect twice.
    selectedItem: null,
    stateReducer: keepTypedText,
    onSelectedItemChange: ({ selectedItem }) => selectedItem !== null && onSelect(selectedItem),
  });
  const { highlightedIndex, getInputProps, getMenuProps, getItemProps, closeMenu } = combobox;
  const open = combobox.isOpen && suggestions.length > 0;

  return (
    <div className="relative">
      <input
        {...getInputProps({
          ...input,
          ref,
          // Not through onInputValueChange, which comes a render later and would move the caret to the end.
          onChange: ({ currentTarget }) => onChange(currentTarget.value),
          onKeyDown: (event) => {
            if (event.key !== 'Enter' || highlightedIndex >= 0) return;
            // Downshift would swallow the key, which submits the form.
            Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
            closeMenu();
          },
        })}
        role="combobox"
        // Downshift would name it by the label of its own, which is not rendered.
        aria-labelledby={undefined}
        aria-expanded={open}
        autoComplete="off"
        className={clsx(lineControlClass, 'px-3')}
      />
      <ul
        {...getMenuProps({ 'aria-label': listLabel })}
        aria-labelledby={undefined}
        hidden={!open}
        // In the flow on a phone, where it would cover the fields below.
        className="inset-x-0 top-full z-dropdown mt-1 max-h-60 animate-rise overflow-y-auto rounded-md border border-line bg-raised p-1 text-sm shadow-over md:absolute"
      >
        {open &&
          suggestions.map((suggestion, index) => (
            <li
              key={suggestion}
              {...getItemProps({ item: suggestion, index })}
              className={clsx(
                'flex min-h-11 cursor-pointer items-center rounded-sm px-3 sm:min-h-9 hover:bg-sunken',
                index === highlightedIndex && 'bg-sunken',
              )}
            >
              <Highlighted text={suggestion} part={value.trim()} />
            </li>
          ))}
      </ul>
    </div>
  );
}

/**
 * The window without touchend events, on which Downshift closes the list: the mouse events of the same tap come later,
 * when the closed list has moved another element under the finger. Those mouse events close it, too.
 */
const withoutTouchEnd = {
  document,
  Node,
  addEventListener: (type: string, listener: EventListenerOrEventListenerObject) => {
    if (type !== 'touchend') window.addEventListener(type, listener);
  },
  removeEventListener: (type: string, listener: EventListenerOrEventListenerObject) =>
    window.removeEventListener(type, listener),
};

/** Downshift's defaults are for a choice from a list: leaving the field picks the active item, Escape clears the text. */
function keepTypedText(
  state: UseComboboxState<string>,
  { type, changes }: UseComboboxStateChangeOptions<string>,
): Partial<UseComboboxState<string>> {
  const { stateChangeTypes } = useCombobox;
  switch (type) {
    case stateChangeTypes.InputBlur:
    case stateChangeTypes.InputKeyDownEscape:
      return { ...changes, inputValue: state.inputValue, selectedItem: null };
    case stateChangeTypes.InputClick:
      return state;
    default:
      return changes;
  }
}

/** Emphasises the part of a suggestion that was typed. */
function Highlighted({ text, part }: { text: string; part: string }) {
  const start = text.toLowerCase().indexOf(part.toLowerCase());
  const end = start + part.length;
  return (
    <span>
      {text.slice(0, start)}
      <strong className="font-semibold">{text.slice(start, end)}</strong>
      {text.slice(end)}
    </span>
  );
}
