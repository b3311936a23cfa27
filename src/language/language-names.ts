// The names of languages, in English and in the languages themselves.

const NAMES = new Set(
  (
    'language languages english german deutsch french français francais spanish español espanol italian italiano ' +
    'portuguese português portugues dutch nederlands polish polski russian русский ukrainian українська czech ' +
    'čeština slovak hungarian magyar romanian română bulgarian greek turkish türkçe arabic العربية hebrew עברית ' +
    'persian farsi hindi हिन्दी bengali urdu tamil chinese 中文 mandarin cantonese japanese 日本語 korean 한국어 ' +
    'vietnamese thai indonesian malay swedish svenska norwegian norsk danish dansk finnish suomi icelandic latin ' +
    'catalan croatian serbian slovenian lithuanian latvian estonian irish welsh swahili translate translation'
  ).split(' '),
)

export const namesLanguage = (text: string): boolean =>
  (text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).some((word) => NAMES.has(word))
