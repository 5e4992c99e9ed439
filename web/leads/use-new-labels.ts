import { useEffect, useRef } from 'react';
import { type OwnField, readValue, writeValue } from '#contract/leads/own-fields/own-field.ts';

/** A text names choices: those that are renamed while it is edited get their new names in it. */
export function useNewLabels(field: OwnField | undefined, text: string, onChange: (text: string) => void) {
  const known = useRef(field);
  useEffect(() => {
    const former = known.current;
    known.current = field;
    if (!former || !field || former.id !== field.id || former.choices === field.choices) return;
    const read = readValue(former, text);
    if (!('value' in read) || read.value === null) return;
    const renamed = writeValue(field, read.value);
    if (renamed !== text) onChange(renamed);
  }, [field, text, onChange]);
}
