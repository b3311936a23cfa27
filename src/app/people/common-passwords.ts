// The passwords that are tried first: the commonest words in them, whatever digits, signs and repetitions go with them.
const words =
  `password passwort passwd pass contrasena motdepasse senha parola wachtwoord haslo kennwort letmein letmeinnow welcome
  welcometo willkommen admin administrator root superuser user guest test testing tester default changeme changemenow
  secret topsecret mysecret private qwerty qwertyuiop qwertzuiop qwertz qwertyqwerty azerty azertyuiop asdf asdfgh
  asdfghjkl asdfghjklqwertyuiop zxcvbn zxcvbnm qazwsx qazwsxedc qweasdzxc qwerasdfzxcv abc abcd abcdef abcdefg abcdefgh
  abcdefghij abcdefghijkl abcdefghijklm aaa iloveyou iloveyousomuch ilovemyself loveyou loveme lovely love sunshine
  princess monkey dragon football baseball basketball soccer hockey superman batman spiderman starwars pokemon naruto
  trustno trustnoone master mustang shadow michael jordan jennifer jessica ashley charlie daniel thomas andrew matthew
  computer internet samsung google facebook apple microsoft windows linkedin whatever freedom flower summer winter
  spring autumn january february march april june july august september october november december monday tuesday
  wednesday thursday friday saturday sunday chocolate cheese cookie pepper ginger hunter killer ninja pirate matrix
  mercedes ferrari porsche corvette yamaha harley chelsea arsenal liverpool barcelona realmadrid juventus manchester
  london paris berlin america canada germany india pakistan jesus jesuschrist jesusisgood godisgood blessed angel
  angels heaven hello helloworld hellohello goodbye forever together family mother father brother sister babygirl
  babyboy purple orange yellow silver golden diamond crystal rainbow butterfly unicorn correcthorsebatterystaple
  memoir memoiradmin persona`.split(/\s+/)

const common = new Set(words)

// True for a word of the list, or one letter or group over and over, however it is decorated.
export function isCommon(password: string): boolean {
  const letters = spelled(password).replaceAll(/[^a-z]/g, '')
  const digits = password.replaceAll(/\D/g, '')
  if (digits.length + 2 >= password.length && (isRun(digits) || isRepeated(digits, 4))) return true
  if (letters === '') return digits.length === password.length && new Set(digits).size < 6
  return common.has(letters) || isRepeated(letters, 12) || common.has(repeatedPart(letters))
}

const signs: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's' }

// "P@ssw0rd2024" as it is meant; digits at the end count years.
const spelled = (password: string): string =>
  password
    .toLowerCase()
    .replace(/[\d!?.*#-]{0,12}$/, '')
    .replaceAll(/[@4310!$5]/g, (sign) => signs[sign]!)

// 123456789012, 987654321098
function isRun(digits: string): boolean {
  const steps = [...digits].slice(1).map((digit, at) => (Number(digit) - Number(digits[at]) + 10) % 10)
  return steps.length > 2 && (steps.every((step) => step === 1) || steps.every((step) => step === 9))
}

const isRepeated = (text: string, most: number): boolean => {
  const part = repeatedPart(text)
  return part.length < text.length && part.length <= most
}

// The shortest beginning of which the text consists.
function repeatedPart(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    const part = text.slice(0, length)
    if (text.length % length === 0 && part.repeat(text.length / length) === text) return part
  }
  return text
}
