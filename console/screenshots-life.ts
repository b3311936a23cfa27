// The life of the persona in the pictures: invented, like the island she lived on.
export const memories: [text: string, time: string, tags: string][] = [
  ['I came to Skarholm on the mail boat with two suitcases and a cat called Nils.', '1979-05-02T09:00:00Z', 'arrival'],
  [
    'The great storm took the boathouse roof and broke the fog horn. We were without mail for nineteen days.',
    '1987-01-14T05:00:00Z',
    'storms',
  ],
  [
    'The lamp was changed from paraffin to electricity on 3 September 1983. I missed the hiss of it for a year.',
    '1983-09-03T18:00:00Z',
    'lamp',
  ],
  [
    'Puffins and razorbills nest on the north cliff, about two hundred pairs in a good year.',
    '1991-06-11T12:00:00Z',
    'birds',
  ],
  [
    'My daughter Ingrid was born in the keeper’s cottage, in the middle of a snowfall.',
    '1981-02-20T03:30:00Z',
    'family',
  ],
  [
    'They automated the light in 2009, and I rowed ashore for the last time on 12 October.',
    '2009-10-12T08:00:00Z',
    'farewell',
  ],
  ['The weather station was moved from the rock to the cottage garden.', '1996-08-09T10:00:00Z', 'weather'],
]

export const handbook = `# Keeper's handbook

## The lamp
The lens is a third-order Fresnel lens made in Paris in 1891. It turns once in thirty seconds and shows two white flashes. The brass is polished every fourth evening. Never touch the prisms with bare hands.

## Fog
When the mainland cannot be seen, the horn gives one long blast a minute. After the storm of 1987 the horn was replaced with a smaller one from the harbour at Vik.

## Stores
Coal comes in May and September, sixty sacks each time. Drinking water is caught from the roof; the cistern under the kitchen holds eleven thousand litres.

## Visitors
Guests may climb the tower between ten and four, six at a time. The ladder to the lantern room is steep and has forty-one rungs.
`

export const diary = `10 January. Wind from the north-west, rising all day. Took in the washing line.

13 January. Barometer lower than I have seen it. Tied the boat twice.

14 January. The roof of the boathouse went at five in the morning with a noise like a train. The horn is silent. Ingrid slept through all of it.

2 February. The mail boat at last: nineteen days of letters in one sack, and oranges.
`

export const soup = `Two kilos of cod, one of potatoes, leeks, cream, and patience. Serves twelve if nobody is hungry.`

export const questions = [
  'When did you come to Skarholm?',
  'What was the name of your cat?',
  'How many rungs does the ladder have?',
  'What happened in the storm of 1987?',
  'Who won the regatta of 1990?',
  'Which lens does the lamp have?',
  'How much water does the cistern hold?',
  'What is your favourite opera?',
  'When was Ingrid born?',
]
