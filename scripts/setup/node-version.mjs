const OLDEST = { major: 20, minor: 19 };

/** Ends the process with one sentence when this Node cannot run the product. */
export function requireNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  console.error(
    `Highstreet needs Node.js ${OLDEST.major}.${OLDEST.minor} or newer; this is ${version}. See https://nodejs.org.`,
  );
  process.exit(1);
}
