// Looked at before anything else, so it is plain JavaScript that every Node.js can read: an older one would end at the
// first .ts file with a stack nobody understands. npm's scripts find the right one among the optional dependencies.
const [major] = process.versions.node.split('.').map(Number)
if (major < 26) {
  console.error(`Ohma runs on Node.js 26, but this is ${process.version} (${process.execPath}).`)
  console.error('npm ci brings the right one for Linux (glibc) and macOS on Apple silicon, and npm start uses it: run npm ci again,')
  console.error('without --omit=optional; on another system, install Node.js 26 yourself.')
  process.exit(1)
}

// Compiled code is kept beside the packages, for this process and the children it starts: they are ready in half the time.
const [{ enableCompileCache }, { fileURLToPath }] = await Promise.all([import('node:module'), import('node:url')])
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/ohma/compiled', import.meta.url))
enableCompileCache(process.env.NODE_COMPILE_CACHE)
