// The file a document came from: taken along as it came, and a picture or the page of a PDF shown beside its text.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { admin, type WholeDocument } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { saveFile } from './save-file.ts'
import { Skeleton, Wrong } from './small.tsx'
import { useSay } from './toast.tsx'

type OriginalOf = { domainName: string; document: WholeDocument }

async function bytesOf(domainName: string, id: string): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let from: number | null = 0
  while (from !== null) {
    const piece: { base64: string; next: number | null } = await admin.readFile({ domain_name: domainName, id, from })
    pieces.push(Uint8Array.from(atob(piece.base64), (letter) => letter.charCodeAt(0)))
    from = piece.next
  }
  return new Blob(pieces)
}

export function SaveOriginal({ domainName, document: { id, title, file_name } }: OriginalOf) {
  const say = useSay()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => saveFile(file_name ?? title, await bytesOf(domainName, id), 'application/octet-stream'),
    onError: (error) => say(words.fileNotFetched(error.message)),
  })
  return (
    <button type="button" className="button tiny" onClick={() => mutate()} disabled={isPending}>
      <Icon name="down" size={15} /> {words.original}
    </button>
  )
}

// Kinds that a browser draws without running anything in them.
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

export const isPicture = ({ media_type }: WholeDocument): boolean => pictures.includes(media_type ?? '')

export const isPdf = ({ media_type, file_name, file_bytes }: WholeDocument): boolean =>
  file_bytes > 0 && (media_type === 'application/pdf' || file_name?.toLowerCase().endsWith('.pdf') === true)

// An address of the file within this page, of this type whatever its bytes are.
function useAddress(domainName: string, id: string, type: string) {
  const { data, error } = useQuery({
    queryKey: [domainName, 'original', id],
    queryFn: () => bytesOf(domainName, id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(new Blob([data], { type }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data, type])
  return { address, error }
}

export function Picture({ domainName, document: { id, title, media_type } }: OriginalOf) {
  const { address, error } = useAddress(domainName, id, media_type!)
  if (error) return <Wrong error={error} />
  if (!address) return <Skeleton lines={3} />
  return <img className="original" src={address} alt={title} />
}

// Phones do not draw a PDF within a page: there it opens by itself.
export function PdfPage({ domainName, document: { id, title }, page }: OriginalOf & { page: number }) {
  const { address, error } = useAddress(domainName, id, 'application/pdf')
  if (error) return <Wrong error={error} />
  if (!address) return <Skeleton lines={6} />
  const place = `${address}#page=${page}`
  return (
    <aside className="original-page" aria-label={words.theOriginal}>
      <a className="small" href={place} target="_blank" rel="noreferrer">
        {words.openAtPage(page)}
      </a>
      {navigator.pdfViewerEnabled && <iframe key={place} src={place} title={`${title}, ${words.page(page)}`} />}
    </aside>
  )
}
