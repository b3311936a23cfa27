// glibc gives every thread a place of its own to allocate from, and seldom gives back what is free in one. Two places
// for all threads hold 60 to 80 MiB less. That can be set only before a process begins.
export const fewArenas = { MALLOC_ARENA_MAX: '2' }

// Begins again as the same process, unless somebody set it already or speaks to this one over a channel.
export function beginWithFewArenas(): void {
  const { argv, env, execArgv, execPath, platform } = process
  if (platform !== 'linux' || env.MALLOC_ARENA_MAX !== undefined || process.channel) return
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...fewArenas })
}
