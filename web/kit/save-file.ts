/** Hands a file to the browser, which puts it where downloads go. */
export function saveFile(name: string, content: Blob) {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
