// Plain JavaScript on purpose: it must run on the old Node it warns about.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `Toolmend needs Node 24.15 or newer for its embedded store; this is ${process.versions.node} (${process.execPath}). ` +
      "In a checkout, run `npm ci` without --ignore-scripts and start through npm scripts: the project brings its own Node.",
  );
  process.exit(1);
}
