// The issuer through which people sign in, where the settings name one.
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { secretIn } from './folders.ts'
import { createOpenId } from './web/open-id.ts'

export function openIssuer({ openId: settings }: Config, log: Logger) {
  if (!settings) return {}
  const { clientSecret, clientSecretFile, role } = settings
  const openId = createOpenId({
    ...settings,
    clientSecret: clientSecret ?? secretIn('MEMOIR_OIDC_CLIENT_SECRET_FILE', clientSecretFile),
    onTrouble: (err) => log.warn({ err }, 'signing in through the issuer'),
  })
  return { openId, openIdRole: role }
}
