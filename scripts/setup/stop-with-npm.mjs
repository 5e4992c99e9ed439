/**
 * `npm start` puts npm, and perhaps a shell, above this process. They pass on SIGTERM and SIGINT, but cannot pass on
 * kill -9; then the product would go on alone, holding its port and its data folder.
 */
export function stopWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 1_000);
  watch.unref();
}
