import { cloneElement, type ReactElement, useState } from 'react';
import { LEAD_STATUS_LABEL, type LeadStatus } from '#contract/leads/lead.ts';
import { Menu, MenuGroup, MenuItem } from '#web/kit/ui/overlays/Menu.tsx';

interface Props {
  button: ReactElement<{ 'aria-haspopup'?: 'menu'; onClick?: () => void }>;
  /** Above the statuses. */
  label: string;
  statuses: LeadStatus[];
  onSelect: (status: LeadStatus) => void;
}

/** A choice of statuses. A plain button until it is pressed: a menu for every lead would make scrolling slow. */
export function StatusMenu({ button, label, statuses, onSelect }: Props) {
  const [used, setUsed] = useState(false);
  if (!used) return cloneElement(button, { 'aria-haspopup': 'menu', onClick: () => setUsed(true) });
  return (
    <Menu defaultOpen trigger={button}>
      <MenuGroup label={label}>
        {statuses.map((status) => (
          <MenuItem key={status} onSelect={() => onSelect(status)}>
            {LEAD_STATUS_LABEL[status]}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}
