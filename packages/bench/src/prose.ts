import type { Random } from './random.js'
import { adjectives, adverbs, links, nouns, places, verbs } from './words.js'

/** Ordinary prose in paragraphs, cut to exactly `length` characters. */
export function prose(random: Random, length: number): string {
  const paragraphs: string[] = []
  for (let total = 0; total < length; ) {
    const next = paragraph(random)
    paragraphs.push(next)
    total += next.length + 2
  }
  return paragraphs.join('\n\n').slice(0, length)
}

export function paragraph(random: Random, sentences = random.int(3, 8)): string {
  return Array.from({ length: sentences }, () => sentence(random)).join(' ')
}

export function sentence(random: Random): string {
  const parts = [clause(random)]
  while (parts.length < 4 && random.chance(0.45)) {
    parts.push(`${random.chance(0.5) ? ', ' : ' '}${random.pick(links)} ${clause(random)}`)
  }
  const text = parts.join('')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${random.chance(0.06) ? '?' : '.'}`
}

/** A noun with one or two adjectives, for naming things. */
export function thing(random: Random): string {
  return random.chance(0.5)
    ? `${random.pick(adjectives)} ${random.pick(nouns)}`
    : random.pick(nouns)
}

function clause(random: Random): string {
  const subject = `${random.pick(['the', 'a', 'every', 'this', 'no', 'our', 'one'])} ${thing(random)}`
  const middle = random.chance(0.3) ? ` ${random.pick(adverbs)}` : ''
  const object = `${random.pick(['the', 'its', 'another', 'that', 'some', 'her', 'his'])} ${thing(random)}`
  const tail = random.chance(0.4)
    ? ` ${random.pick(places)} the ${thing(random)}`
    : random.chance(0.02)
      ? ` in ${random.int(2, 1999)}`
      : ''
  return `${subject}${middle} ${random.pick(verbs)} ${object}${tail}`
}
