import { useState } from 'react';
import { suggest } from '#contract/search/suggestions.ts';
import { Combobox } from '#web/kit/ui/forms/Combobox.tsx';

interface Props {
  label: string;
  name: string;
  placeholder: string;
  value: string;
  error: string | undefined;
  /** Loads all suggestions; called when the field is first used. */
  load: () => Promise<readonly string[]>;
  maxSuggestions: number;
  onChange: (value: string) => void;
}

/** A text field of the search form with suggestions from a list that is loaded on first use. */
export function SuggestField({ load, maxSuggestions, value, onChange, ...field }: Props) {
  const [names, setNames] = useState<readonly string[]>();
  const loadNames = () => {
    // Without the list it is still a text field.
    if (!names) load().then(setNames, () => {});
  };

  return (
    <Combobox
      {...field}
      className="min-w-0"
      maxLength={200}
      value={value}
      suggestions={suggest(names ?? [], value, maxSuggestions)}
      onFocus={loadNames}
      onChange={(typed) => {
        loadNames();
        onChange(typed);
      }}
    />
  );
}
