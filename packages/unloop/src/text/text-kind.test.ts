import { describe, expect, it } from 'vitest'
import { kindOfText, NUMBER, type TextKind } from './text-kind.js'

/** Numbers are one unit in folded text, and so is white space. */
const fold = (text: string) =>
  text.replace(/\d+/g, String.fromCharCode(NUMBER)).replace(/\s*\n\s*/g, '\n')

describe('a stretch of text', () => {
  it.each<[TextKind, string]>([
    ['prose', 'I will now look at the file again, then decide what to do.'],
    ['prose', 'Wait, I will try to click on index 3090 instead of 3089.'],
    ['prose', '- check the file again\n- check the file again\n'],
    ['prose', '我会再看一遍这个文件。我会再看一遍这个文件。'],
    ['prose', 'Я ещё раз посмотрю файл.'],
    ['prose', 'nynynynynynynynynynyny'],
    ['prose', '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'],
    ['prose', '{"tool_calls": [{"function": "read", "arguments": "{}"}]}'],
    ['prose', "[{'name': 'read', 'params': {'path': 'a'}}]"],
    ['prose', '{`name`: `read`, `parameters`: {`path`: `a`}}'],
    ['prose', '<write_file>\n<path>a</path>\n</write_file>'],
    ['data', '{"jsonrpc": "2.0", "method": "read", "params": {"id": 3}, "id": 4}'],
    ['data', '"arguments": [\n{\n"type": "Literal",\n"start": 3,\n"end": 5\n'],
    ['code', 'if (a) { return load(a) }\nconst x = (b) => b * 2\n'],
    ['code', 'for (const x of list) {\n  total += f(x)\n}\n'],
    ['data', '| a | b | c |\n| 1 | 2 | 3 |\n'],
    ['data', '1,2,3\n4,5,6\n7,8,9\n'],
    ['data', '{"id": 1, "ok": true, "name": null},\n'],
    ['data', '00 ff 3a 00 ff 3a 00 ff\n'],
    ['data', `${'A'.repeat(76)}\n${'A'.repeat(76)}`],
    ['data', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo='],
    ['marks', '────────────────────'],
    ['marks', '. . . . . . . . . . .'],
    ['marks', '+---+---+---+---+'],
    ['marks', '          \n\n\n'],
  ])('is %s: %s', (kind, text) => expect(kindOfText(fold(text))).toBe(kind))
})
