import { spawnSync } from 'node:child_process';

/**
 * Checks out the tag of a version, and returns a function that checks out again what was there. Fetches nothing.
 * @param {string} folder
 * @param {string} version
 */
export function checkOut(folder, version) {
  /** @param {string[]} args */
  const git = (...args) => {
    const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    if (error) throw new Error(`git cannot be run (${error.message})`);
    return { ok: status === 0, text: stdout.trim(), reason: stderr.trim() };
  };
  const tag = `v${version.replace(/^v/, '')}`;
  if (!git('rev-parse', '--is-inside-work-tree').ok) throw new Error(`${folder} is not a git checkout`);
  if (!git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}^{commit}`).ok)
    throw new Error(`there is no tag ${tag} in this checkout. Fetch it first: git fetch --tags`);
  if (git('status', '--porcelain', '--untracked-files=no').text)
    throw new Error('files of this checkout were changed (git status). Commit the changes or undo them first');

  const branch = git('symbolic-ref', '--quiet', '--short', 'HEAD');
  const former = branch.ok ? branch.text : git('rev-parse', 'HEAD').text;
  /** @param {string[]} args */
  const change = (...args) => {
    const { ok, reason } = git('checkout', '--quiet', ...args);
    if (!ok) throw new Error(reason);
  };
  change('--detach', tag);
  return () => change(former);
}
