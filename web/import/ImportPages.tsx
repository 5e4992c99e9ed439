import { CorrectionScreen } from '#web/import/corrections/CorrectionScreen.tsx';
import { ImportJobScreen } from './ImportJobScreen.tsx';
import { ImportScreen } from './ImportScreen.tsx';

interface Props {
  id?: string | undefined;
  part?: 'corrections';
}

/** The screens of imports, loaded as one file: they are opened one after the other. */
export function ImportPages({ id, part }: Props) {
  if (!id) return <ImportScreen />;
  return part ? <CorrectionScreen key={id} id={id} /> : <ImportJobScreen key={id} id={id} />;
}
