import type { Random } from '../random.js'
import { subjects, verbs } from './tables/names.js'

export type Language = 'ts' | 'py' | 'java' | 'go' | 'rs'

/** A source file of about so many lines; it need not compile, it must look like one. */
export function codeLines(random: Random, language: Language, count: number): string[] {
  const lines = [...opening(random, language)]
  while (lines.length < count) lines.push(...functionLines(random, language), '')
  return lines.slice(0, count)
}

/** A name such as `resolveOrder`, written as the language does. */
export function symbol(random: Random, language: Language = 'ts'): string {
  const [verb, subject] = [random.pick(verbs), random.pick(subjects)]
  if (language === 'py' || language === 'rs') return `${verb}_${subject.toLowerCase()}`
  if (language === 'go') return verb.charAt(0).toUpperCase() + verb.slice(1) + subject
  return verb + subject
}

/** One line of a function's body. */
export function statement(random: Random, language: Language): string {
  const [a, b] = [field(random), field(random)]
  const number = random.int(0, 4096)
  switch (language) {
    case 'py':
      return random.pick([
        `${a} = self.${b}.get("${field(random)}", ${number})`,
        `if not ${a}: return ${b}`,
        `for ${a} in self.${symbol(random, 'py')}(${b}): yield ${a}`,
        `logger.debug("${a} %s after %d", ${b}, ${number})`,
        `${a}, ${b} = ${b}, ${symbol(random, 'py')}(${a})`,
        `raise ValueError(f"bad ${a}: {${b}!r}")`,
      ])
    case 'java':
      return random.pick([
        `final ${random.pick(subjects)} ${a} = this.${symbol(random, 'java')}(${b}, ${number});`,
        `if (${a} == null) { return Optional.empty(); }`,
        `LOG.info("${a} {} of {}", ${b}, ${number});`,
        `${a}.put("${field(random)}", ${b}.getOrDefault(${number}));`,
      ])
    case 'go':
      return random.pick([
        `${a}, err := s.${symbol(random, 'go')}(ctx, ${b})`,
        `if err != nil { return nil, fmt.Errorf("${a}: %w", err) }`,
        `for _, ${a} := range ${b} { total += ${a}.${random.pick(subjects)} }`,
        `${a}[${number}] = append(${a}[${number}], ${b})`,
      ])
    case 'rs':
      return random.pick([
        `let ${a} = self.${symbol(random, 'rs')}(&${b})?;`,
        `match ${a} { Some(${b}) => ${b}, None => return Err(Error::Missing(${number})) };`,
        `${a}.iter().filter(|${b}| ${b}.len() > ${number}).count();`,
      ])
    default:
      return random.pick([
        `const ${a} = this.${symbol(random)}(${b}, ${number})`,
        `if (!${a}) return ${b}.${field(random)}`,
        `for (const ${a} of ${b}.values()) this.${symbol(random)}(${a})`,
        `await ${symbol(random)}({ ${a}, ${b}: ${number} })`,
        `throw new RangeError(\`${a} must be below ${number}, got \${${b}}\`)`,
        `${a}.set('${field(random)}', { ...${b}, count: ${number} })`,
      ])
  }
}

function functionLines(random: Random, language: Language): string[] {
  const name = symbol(random, language)
  const body = Array.from({ length: random.int(2, 7) }, () => statement(random, language))
  switch (language) {
    case 'py':
      return [`def ${name}(self, ${field(random)}):`, ...body.map((line) => `    ${line}`)]
    case 'java':
      return [
        `  public void ${name}(String ${field(random)}) {`,
        ...body.map((l) => `    ${l}`),
        '  }',
      ]
    case 'go':
      return [
        `func (s *Store) ${name}(ctx context.Context) error {`,
        ...body.map((l) => `\t${l}`),
        '}',
      ]
    case 'rs':
      return [`pub fn ${name}(&self) -> Result<usize> {`, ...body.map((l) => `    ${l}`), '}']
    default:
      return [
        `export function ${name}(${field(random)}: string) {`,
        ...body.map((l) => `  ${l}`),
        '}',
      ]
  }
}

function opening(random: Random, language: Language): string[] {
  const imported = Array.from({ length: random.int(1, 4) }, () => symbol(random, language))
  switch (language) {
    case 'py':
      return [...imported.map((name) => `from .${field(random)} import ${name}`), '']
    case 'java':
      return [
        `package org.example.${field(random)};`,
        '',
        `public class ${random.pick(subjects)}Service {`,
      ]
    case 'go':
      return [`package ${field(random)}`, '', 'import (', '\t"context"', '\t"fmt"', ')', '']
    case 'rs':
      return [...imported.map((name) => `use crate::${field(random)}::${name};`), '']
    default:
      return [...imported.map((name) => `import { ${name} } from './${field(random)}.js'`), '']
  }
}

function field(random: Random): string {
  return random.pick(subjects).toLowerCase()
}
