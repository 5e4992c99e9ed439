import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextField } from './Input.tsx';

/** A text that is shown to be copied. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const field = useRef<HTMLDivElement>(null);
  const [message, setMessage] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setMessage('Copied.');
    } catch {
      // Without https there is no clipboard: the user copies the selected text.
      field.current?.querySelector('input')?.select();
      setMessage(`The ${label.toLowerCase()} is selected: copy it with Ctrl C or ⌘ C.`);
    }
  };
  return (
    <div ref={field} className="flex flex-wrap items-end gap-2">
      <TextField
        className="min-w-0 grow basis-64"
        label={label}
        readOnly
        value={value}
        onFocus={({ target }) => target.select()}
      />
      <Button variant="secondary" onClick={() => void copy()}>
        <Copy aria-hidden="true" />
        Copy
      </Button>
      <p role="status" className="basis-full text-sm text-muted">
        {message}
      </p>
    </div>
  );
}
