// Pictures: the text that can be seen in them.

import { AppError } from '../domain/errors.ts'
import type { Content, Extracted } from '../ports/extractor.ts'
import { createComposer } from './composer.ts'
import { limits } from './limits.ts'
import { recognise } from './ocr.ts'
import { pictureSize } from './picture-size.ts'

export async function readPicture({ bytes }: Content): Promise<Extracted> {
  const size = pictureSize(bytes)
  if (!size || size.width < 1 || size.height < 1)
    throw new AppError('unreadable', 'The picture is damaged and cannot be read.')
  if (size.width * size.height > limits.picturePixels)
    throw new AppError('unreadable', `The picture has more than ${limits.picturePixels / 1_000_000} million pixels.`)
  const composer = createComposer()
  for (const paragraph of await recognise(await prepared(bytes, size))) composer.paragraph(paragraph)
  const extracted = composer.finish('picture')
  if (!extracted.text) throw new AppError('unreadable', 'No text could be recognised in the picture.')
  return extracted
}

// Large pictures are made smaller, small ones larger: letters should be some thirty pixels high.
async function prepared(bytes: Uint8Array, { width, height }: { width: number; height: number }): Promise<Uint8Array> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas')
  const image = await loadImage(Buffer.from(bytes)).catch(() => null)
  // What the drawing library does not know, the recogniser may.
  if (!image) return bytes
  const scale = Math.min(width < 1_000 ? 2 : 1, Math.sqrt(limits.ocrPixels / (width * height)))
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  )
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const picture = canvas.encodeSync('png')
  canvas.width = canvas.height = 1
  return picture
}
