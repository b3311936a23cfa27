// How a persona is shared with people who have no key: whether it is, on which sites, and what they see.

export type Sharing = {
  isOn: boolean
  origins: string[] // of sites that may embed the page; none: the page stands alone
  showsSources: boolean // visitors see the titles of the documents a reply rests on
  defaultMessage: string // said in place of a reply that scores below the threshold
}

export const unshared: Sharing = {
  isOn: false,
  origins: [],
  showsSources: false,
  defaultMessage:
    'I am not sure enough of my answer to give it. Your question has been kept for the person behind this page.',
}

// Nothing but a scheme, a host and a port gets through: the origin becomes part of a header, where a space, a
// semicolon or an asterisk would mean more than it says.
const plainOrigin = /^https?:\/\/(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/

// As browsers name it; undefined for what is no origin of a web site.
export function originOf(text: string): string | undefined {
  const url = URL.parse(text.trim())
  if (!url || url.username || url.password || url.pathname !== '/' || url.search || url.hash) return undefined
  return plainOrigin.test(url.origin) ? url.origin : undefined
}
