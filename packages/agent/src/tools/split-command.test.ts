import { expect, test } from 'vitest'
import { splitCommand } from './split-command.js'

test.each([
  ['npm test', ['npm', 'test']],
  ['  a \t b  ', ['a', 'b']],
  [`git commit -m "it's done"`, ['git', 'commit', '-m', "it's done"]],
  [`a 'b "c" $d \`e\` | f' g`, ['a', 'b "c" $d `e` | f', 'g']],
  [`a "b | c > d; e && f"`, ['a', 'b | c > d; e && f']],
  [`a b\\ c d\\|e`, ['a', 'b c', 'd|e']],
  [`a "b\\"c\\\\d\\n"`, ['a', 'b"c\\d\\n']],
  [`a '' ""`, ['a', '', '']],
  [`a --b='c d'e`, ['a', '--b=c de']],
  [`grep 'a$' "b$" c$`, ['grep', 'a$', 'b$', 'c$']],
  [`a "\\$b"`, ['a', '$b']],
  [`a 'line\nbreak'`, ['a', 'line\nbreak']],
])('%s', (line, words) => {
  expect(splitCommand(line)).toEqual(words)
})

test.each([
  ['a | b', 'pipes'],
  ['a > b', 'redirects'],
  ['a < b', 'redirects'],
  ['a ; b', 'one program'],
  ['a && b', 'one program'],
  ['a &', 'one program'],
  ['a\nb', 'one program'],
  ['(a)', 'one program'],
  ['a $(b)', 'variables'],
  ['a "$(b)"', 'variables'],
  ['a `b`', 'variables'],
  ['a "`b`"', 'variables'],
  ['a $b', 'variables'],
  [`a "\${b}"`, 'variables'],
  ['A=1 b', 'variables'],
  ['a "b', 'a quote is not closed: "'],
  ["a 'b", "a quote is not closed: '"],
  ['a \\', 'backslash'],
  ['   ', 'empty'],
])('%s is refused', (line, message) => {
  expect(() => splitCommand(line)).toThrow(message)
})
