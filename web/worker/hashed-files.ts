/** Whether a file has a hash of its content in its name, and so never changes. */
export const isHashed = (path: string) => path.startsWith('/assets/');
