// Passwords: which are taken, and their hashes, made beside the event loop and a few at a time.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../domain/errors.ts'
import { limits } from '../limits.ts'
import { isCommon } from './common-passwords.ts'

// 64 MiB and a fifth of a second each: a stolen hash is expensive to guess.
const COST = 2 ** 16
const BLOCK = 8
const BYTES = 32

export function checkPassword(password: string, email: string): void {
  const { least, most } = limits.passwordCharacters
  if (password.length < least) throw new AppError('invalid', `password has fewer than ${least} characters.`)
  if (password.length > most) throw new AppError('invalid', `password has more than ${most} characters.`)
  const own = email.toLowerCase().split('@')[0]!
  const isOwn = own.length > 3 && password.toLowerCase().replaceAll(own, '').length < 6
  if (isCommon(password) || isOwn)
    throw new AppError('invalid', 'password is one of those that are tried first: choose another, longer one.')
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

// Takes as long where there is no hash to compare with: nobody learns who has an account.
export async function isPassword(password: string, kept: string | null | undefined): Promise<boolean> {
  const [, cost, salt, hash] = (kept ?? NOBODY).split('$')
  const given = await derive(password, Buffer.from(salt!, 'base64url'), Number(cost))
  return timingSafeEqual(given, Buffer.from(hash!, 'base64url')) && kept != null
}

const NOBODY = ['scrypt', COST, 'nobody', Buffer.alloc(BYTES).toString('base64url')].join('$')

const waiting: (() => void)[] = []
let running = 0

// In Node's own threads; they are also for files and names, so not all at once.
async function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  if (waiting.length >= limits.passwordsWaiting)
    throw new AppError('unavailable', 'Too many are signing in; try again in a moment.', { retryAfterS: 2 })
  if (running >= limits.passwordsAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const options = { N: cost, r: BLOCK, p: 1, maxmem: 256 * cost * BLOCK }
      scrypt(password.normalize('NFKC'), salt, BYTES, options, (error, key) => (error ? reject(error) : resolve(key)))
    })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
