import { seededRandom, type Random } from '../random.ts'

/** What an advertiser says of a lead so long after it took it, in ms. */
export type Step = { after: number; word: string; sale: boolean; amount: string }
/** How the people behind a system work: a broker's call centre, players who deposit or do not, orders that are told or listed; none: nobody tells. */
export type StoryKind = 'broker' | 'players' | 'orders_told' | 'orders_listed' | 'none'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/**
 * What becomes of a lead, by our id of it alone: the month that was made with the demo network and the mock advertiser that goes on
 * afterwards tell the same.
 */
export function storyOf(kind: StoryKind, leadId: string): Step[] {
  if (kind === 'none') return []
  const random = seededRandom(Number.parseInt(leadId.replaceAll('-', '').slice(0, 8), 16))
  const steps: Step[] = []
  let after = 0
  const say = (hours: number, word: string, more: { sale?: true; amount?: string } = {}) => {
    after += Math.ceil(random.logNormal(hours * HOUR, 0.7))
    steps.push({ after, word, sale: more.sale ?? false, amount: more.amount ?? '' })
  }
  STORIES[kind](random, say)
  return steps
}

type Say = (hours: number, word: string, more?: { sale?: true; amount?: string }) => void

const STORIES: Readonly<Record<Exclude<StoryKind, 'none'>, (random: Random, say: Say) => void>> = {
  broker(random, say) {
    say(0.1, 'New')
    for (let calls = random.whole(0, 3); calls > 0; calls--)
      say(7, random.pick(['No Answer', 'No Answer', 'Callback', 'In Progress', 'Potential']))
    const end = random.next() * 100
    if (end < 13) say(40, 'Depositor', { sale: true })
    else if (end < 48) say(14, 'Not Interested')
    else if (end < 56) say(14, 'Wrong Number')
    else if (end < 62) say(10, 'Low Potential')
    else if (end < 65) say(10, 'Do Not Call')
    else if (end < 68) say(8, 'Wrong Language')
    // nobody has said yet what it means
    else if (end < 70) say(20, 'Retention Desk')
  },
  players(random, say) {
    say(0.1, 'New')
    if (random.chance(0.24)) say(9, 'Depositor', { sale: true })
    else if (random.chance(0.1)) say(12, 'Fraud')
  },
  orders_told(random, say) {
    say(0.2, 'hold')
    const end = random.next() * 100
    if (end < 44) say(9, 'lead')
    else if (end < 78) say(12, 'reject')
    else if (end < 90) say(5, 'trash')
  },
  orders_listed(random, say) {
    say(0.3, 'new')
    if (random.chance(0.3)) say(5, 'holded')
    const end = random.next() * 100
    if (end < 43) say(10, 'confirmed', { sale: true, amount: '22' })
    else if (end < 78) say(13, 'cancelled')
    else if (end < 88) say(6, 'trash')
    else if (end < 90) say(20, 'recall later')
  },
}
