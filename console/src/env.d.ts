// What the build gives the page beside its own files.
declare module 'memoir:operations' {
  const operations: Record<string, { method: string; path: string; hasBody: boolean }>
  export default operations
}
declare module '*.css'
declare module '@fontsource-variable/*'
