import { SweepScreen } from './SweepScreen.tsx';
import { SweepsScreen } from './SweepsScreen.tsx';

/** The screens of sweeps, loaded as one file: they are opened one after the other. */
export function SweepPages({ id }: { id?: string | undefined }) {
  return id ? <SweepScreen key={id} id={id} /> : <SweepsScreen />;
}
