// What a model is called by, and where one that is named comes from.
import { AppError } from '../../domain/errors.ts'

const NAME = /^[A-Za-z0-9][\w.+-]{0,127}$/

export function nameOf(file: string): string {
  const name = file.replace(/\.gguf(?:\.part)?$/i, '')
  if (!NAME.test(name))
    throw new AppError(
      'invalid',
      `A model's file has a name of Latin letters, digits, - and _, not "${file.slice(0, 80)}".`,
    )
  return name
}

const HUB = /^([\w.-]{1,96})\/([\w.-]{1,96})\/([\w./+-]{1,200}\.gguf)$/

// An address, or the name of a file at Hugging Face: owner/repository/file.gguf.
export function addressOf(from: string): string {
  const named = HUB.exec(from)
  const url = named ? `https://huggingface.co/${named[1]}/${named[2]}/resolve/main/${named[3]}` : from
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new AppError(
      'invalid',
      'A model comes from an address (https://…/model.gguf), from Hugging Face (owner/repository/file.gguf) or from ' +
        'a file on the same machine (model.gguf).',
    )
  if (!new URL(url).pathname.toLowerCase().endsWith('.gguf'))
    throw new AppError('invalid', 'The address of a model ends in .gguf.')
  return url
}
