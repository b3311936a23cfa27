// Porter's own examples, one line for each rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from './stem.ts'

const pairs =
  'caresses>caress ponies>poni ties>ti caress>caress cats>cat feed>feed agreed>agre plastered>plaster bled>bled ' +
  'motoring>motor sing>sing conflated>conflat troubled>troubl sized>size hopping>hop tanned>tan falling>fall ' +
  'hissing>hiss fizzed>fizz failing>fail filing>file happy>happi sky>sky relational>relat conditional>condit ' +
  'rational>ration valenci>valenc digitizer>digit radically>radic differently>differ vietnamization>vietnam ' +
  'predication>predic operator>oper feudalism>feudal decisiveness>decis hopefulness>hope formality>formal ' +
  'sensitivity>sensit triplicate>triplic formative>form electricity>electr goodness>good revival>reviv ' +
  'allowance>allow inference>infer airliner>airlin adjustable>adjust replacement>replac adoption>adopt ' +
  'communism>commun activate>activ effective>effect bowdlerize>bowdler probate>probat rate>rate cease>ceas ' +
  'controll>control roll>roll painting>paint painted>paint running>run buying>bui yes>ye 2023>2023 naïve>naïve'

for (const pair of pairs.split(' ')) {
  const [word, expected] = pair.split('>') as [string, string]
  test(`${word} → ${expected}`, () => assert.equal(stem(word), expected))
}
