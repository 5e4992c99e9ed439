import type { Whose } from './month-picture.ts';

const CHOICES: { whose: Whose; label: string }[] = [
  { whose: 'team', label: 'Team' },
  { whose: 'own', label: 'Just me' },
];

export function WhoseSwitch({ whose, onWhose }: { whose: Whose; onWhose: (whose: Whose) => void }) {
  return (
    <fieldset className="inline-flex rounded-md border border-control p-0.5 text-sm font-medium">
      <legend className="sr-only">Whose contacts</legend>
      {CHOICES.map((choice) => (
        <label
          key={choice.whose}
          className="cursor-pointer rounded-sm px-3 py-1 text-muted hover:text-ink has-checked:bg-pine-soft has-checked:text-pine-text has-focus-visible:outline-2 has-focus-visible:outline-pine"
        >
          <input
            type="radio"
            name="whose"
            checked={choice.whose === whose}
            onChange={() => onWhose(choice.whose)}
            className="sr-only"
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
