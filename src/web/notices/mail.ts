// Mail by the server of the settings, with a limit on every wait.
import { createTransport } from 'nodemailer'
import type { Mailer } from '../../ports/post.ts'
import { limits } from '../limits.ts'

export function createMailer(url: string, from: string): Mailer {
  const waits = { connectionTimeout: limits.noticeMs, greetingTimeout: limits.noticeMs, socketTimeout: limits.noticeMs }
  const transport = createTransport({ url, ...waits, disableFileAccess: true, disableUrlAccess: true })
  return {
    async send({ to, subject, text, id }) {
      await transport.sendMail({
        from,
        to,
        subject,
        text,
        messageId: `<${id}@memoir>`,
        headers: { 'Auto-Submitted': 'auto-generated' }, // no answering machine answers it
      })
    },
    close: () => transport.close(),
  }
}
