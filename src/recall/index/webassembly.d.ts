// The few parts of WebAssembly that recall uses; TypeScript knows them only together with a browser's.
declare namespace WebAssembly {
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>)
  }
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } })
    readonly exports: Record<string, unknown>
  }
  class Memory {
    constructor(size: { initial: number; maximum: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
}
