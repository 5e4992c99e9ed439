const KIB = 1024;
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** "840 bytes", "12.3 KB", "4 MB" */
export function sizeOf(bytes: number): string {
  if (bytes < KIB) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < KIB * KIB ? `${number.format(bytes / KIB)} KB` : `${number.format(bytes / KIB / KIB)} MB`;
}
