// Hands a file to the browser to keep.
export function saveFile(name: string, content: BlobPart, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name.replaceAll(/[\\/:*?"<>|]/g, ' ').slice(0, 120)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
