// What the build gives the page beside its own files.
declare module 'memoir:operations' {
  type Called = { method: string; path: string; hasBody: boolean; streamPath?: string }
  export const adminOperations: Record<keyof import('../../src/contract/admin-api.ts').Admin, Called>
  export const keepOperations: Record<keyof typeof import('../../src/contract/keep-api.ts').keepOperations, Called>
  export const publicOperations: Record<keyof import('../../src/contract/public-api.ts').Service, Called>
}
declare module '*.css'
declare module '@fontsource-variable/*'
