// Numbers and plurals by the rules of a language, which the browser knows.
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

export function inLanguage(language: string) {
  const figures = new Intl.NumberFormat(language)
  const rules = new Intl.PluralRules(language)
  const count = (amount: number): string => figures.format(amount)
  return {
    count,
    counted: (amount: number, forms: Forms): string => `${count(amount)} ${forms[rules.select(amount)] ?? forms.other}`,
  }
}
