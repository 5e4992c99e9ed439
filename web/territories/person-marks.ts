import type { Territory } from '#contract/territories/territory.ts';

/** How a person is marked on the map and in the table: initials beside the colour, which not everyone can tell apart. */
export interface PersonMark {
  initials: string;
  colour: string;
}

// The palette of Okabe and Ito, whose colours differ for people who see fewer of them.
const COLOURS = ['#e69f00', '#56b4e9', '#009e73', '#cc79a7', '#0072b2', '#f0e442', '#d55e00', '#8f7fd1'];

export const SHARED_COLOUR = 'var(--color-ink)';

/** By user. The colours repeat from the ninth person on; initials that are taken get a number. */
export function markPeople(territories: readonly Territory[]): Map<number, PersonMark> {
  const taken = new Map<string, number>();
  return new Map(
    territories.map(({ userId, fullName, username }, nth) => {
      const initials = toInitials(fullName || username);
      const count = (taken.get(initials) ?? 0) + 1;
      taken.set(initials, count);
      const colour = COLOURS[nth % COLOURS.length] ?? SHARED_COLOUR;
      return [userId, { initials: count === 1 ? initials : `${initials}${count}`, colour }];
    }),
  );
}

function toInitials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = '?', last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return `${first.slice(0, 1)}${last?.slice(0, 1) ?? first.slice(1, 2)}`.toUpperCase();
}
