// The fields of a persona, for making one and for changing one.
import { useId, useState } from 'react'
import type { Persona } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Monogram } from './small.tsx'

const PICTURE_CHARACTERS = 4_096
const PICTURE_PIXELS = 96

export function PictureField({ persona, onChange }: { persona: Persona; onChange: (picture: string) => void }) {
  const id = useId()
  const [wrong, setWrong] = useState('')
  const choose = async (file: File | undefined) => {
    if (!file) return
    const picture = await shrunk(file).catch(() => undefined)
    setWrong(picture ? '' : words.pictureCannotBeRead)
    if (picture) onChange(picture)
  }
  return (
    <div className="row">
      <Monogram persona={persona} size="4.2rem" />
      <div className="stack" style={{ gap: '0.35rem' }}>
        <div className="row">
          <label className="button tiny" htmlFor={id}>
            {words.chooseAPicture}
          </label>
          <input
            id={id}
            className="unseen"
            type="file"
            accept="image/*"
            onChange={(e) => choose(e.target.files?.[0])}
          />
          {persona.picture && (
            <button type="button" className="button plain tiny" onClick={() => onChange('')}>
              {words.remove}
            </button>
          )}
        </div>
        <span className="hint" role="status">
          {wrong || (persona.picture?.startsWith('http') ? words.pictureIsElsewhere : words.callersGetThePicture)}
        </span>
      </div>
    </div>
  )
}

// A square of 96 pixels, as good as fits into the field.
async function shrunk(file: File): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = PICTURE_PIXELS
  const [x, y] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  canvas.getContext('2d')!.drawImage(bitmap, x, y, side, side, 0, 0, PICTURE_PIXELS, PICTURE_PIXELS)
  for (const quality of [0.8, 0.6, 0.4, 0.2, 0.1]) {
    const picture = canvas.toDataURL('image/webp', quality)
    if (picture.length <= PICTURE_CHARACTERS) return picture
  }
  return undefined
}

export const domainNameFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63)
