// The scores of replies that are not weighed feature by feature, in log-odds.
import type { Calibration } from '../../domain/persona.ts'
import type { SmallTalk } from '../../language/language.ts'
import { type Confidence, certain } from './confidence.ts'

// There is nothing in small talk to be wrong about.
const SMALL_TALK = certain(4)
export const aboutSelfConfidence = certain(3)

export const smallTalkConfidence = (talk: SmallTalk): Confidence =>
  talk === 'identity' ? aboutSelfConfidence : SMALL_TALK

// A choice of sentences says something true of its subject; that it is all one wanted to hear happens one time in
// eight.
const SELDOM_ALL = -1.9

export const overviewConfidence = (calibration: Calibration | null): Confidence => certain(SELDOM_ALL, calibration)

// What a persona says of itself is its own, and what a document of that name says is what was asked for; whether it is
// what one wanted to hear of it is seldom sure.
const TOLD = 0.4

export const toldConfidence = (calibration: Calibration | null): Confidence => certain(TOLD, calibration)

// What quotes is as right as what it quotes.
const QUOTED = { document: 2.2, memory: 1.4, context: 1.4, list: 1.4 } as const

export const quotedConfidence = (what: keyof typeof QUOTED): Confidence => certain(QUOTED[what])
