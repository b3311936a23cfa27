// Builds the console after an install, and before a start or the tests where something of it has changed. Plain JavaScript, so
// that an install on a Node that is too old goes on without it: `memoir` itself says then which Node it needs.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  const { buildConsole } = await import('./build.ts')
  const outcome = await buildConsole()
  if (outcome === 'built') console.log('The console is built.')
  if (outcome === 'left out') console.log('The console is left out: building it takes the development packages.')
}
