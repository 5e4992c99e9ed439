import { Link, useLocation } from 'wouter';
import { isWithin, type NavItem } from './navigation.ts';

interface Props {
  items: NavItem[];
  onNavigate: () => void;
}

/** Links to other screens, in a menu. */
export function MenuLinks({ items, onNavigate }: Props) {
  const [path] = useLocation();
  return (
    <ul className="-mx-2 flex flex-col">
      {items.map(({ href, label, icon: Icon }) => (
        <li key={href}>
          <Link
            href={href}
            aria-current={isWithin(path, href) ? 'page' : undefined}
            onClick={onNavigate}
            className="flex min-h-11 items-center gap-2 rounded-md px-2 font-medium hover:bg-sunken aria-[current=page]:text-pine-text max-sm:gap-3 max-sm:text-base sm:min-h-9"
          >
            <Icon aria-hidden="true" className="size-4 max-sm:size-5" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
