// The sockets for telling people: a mail server, and the services of browsers.
import type { PushTarget } from '../domain/notice.ts'

export type Mail = { to: string; subject: string; text: string; id: string }

export type Mailer = {
  // Resolves when the server took it. Throws with what the server said.
  send(mail: Mail): Promise<void>
  close(): void
}

export type Pusher = {
  // What a browser needs to let us tell it something.
  publicKey(): Promise<string>
  // 'gone': the browser wants nothing more. Throws where it did not get through.
  push(target: PushTarget, text: string): Promise<'told' | 'gone'>
}
