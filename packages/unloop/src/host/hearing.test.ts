import { expect, it } from 'vitest'
import { createHearing } from './hearing.js'

it.each([
  ['Step 2 of 9, go on.', 'Step 3 of 9, go on.'],
  ['Open: fix the login, write tests, ship it', 'Open: write tests, ship it'],
  ['继续修复登录', '继续修复登录'],
  ['Stop that', '<note>Leave it</note>'],
  ['Stop that', 'Observation: something else'],
  ['Stop that', 'Please summarize the conversation so far.'],
  ['Stop that', '12'],
  ['Stop that', ' '],
])('after %j, %j is nothing new', (first, second) => {
  const isNew = createHearing()
  expect(isNew(first)).toBe(true)
  expect(isNew(second)).toBe(false)
})

it.each([
  ['Fix the login', 'Fix the logout and tell Bob'],
  ['Why is it slow?', 'Leave it'],
  ['修复登录', '写一首诗'],
  ['Fix it', '<system-reminder>\nIt is Friday.\n</system-reminder>\nLook at config.txt instead'],
])('after %j, %j is new', (first, second) => {
  const isNew = createHearing()
  isNew(first)
  expect(isNew(second)).toBe(true)
})
