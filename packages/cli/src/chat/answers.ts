import { afterReading, type Later } from './after-reading.js'
import type { Chat } from './chat.js'
import { type DialogOption, openDialog, optionsOf } from './dialog.js'
import * as edit from './editor.js'
import type { KeyName, Press } from './input/press.js'
import { type Question, takeAnswer } from './take-answer.js'

type List = Extract<Question, { type: 'sessions' | 'models' }>

export interface Answers {
  press(question: Question, press: Press, isAlone: boolean): void
  /** Forgets a key that may have been an answer. */
  forget(): void
}

// about as long as it takes to see that something else is on the screen, and to stop typing
const GRACE_MS = 450
// between two keys of a slow typist
const TYPING_MS = 600

/**
 * Answers to questions. Whoever types or pastes does not mean the question: an answer is one key, alone in its read, with
 * a pause before it and after it. What is typed meanwhile is kept for the prompt.
 */
export function createAnswers(chat: Chat, later: Later = afterReading): Answers {
  const { get, dispatch, subscribe } = chat.store
  let timed = -1
  let stopListening = () => {}
  let held: { text: string; option: DialogOption; release: () => void } | undefined

  function watch() {
    const { asked } = get()
    if (timed === asked.number || !openDialog(get())) return
    timed = asked.number
    stopListening()
    stopListening = later(GRACE_MS, () => dispatch({ type: 'listen', number: asked.number }))
  }
  subscribe(watch)
  // that of a resumed conversation existed before
  watch()

  function press(question: Question, press: Press, isAlone: boolean) {
    if (question.type === 'sessions' || question.type === 'models') return list(question, press)
    const before = held
    forget()
    const isCounted = isAlone && get().asked.isListening
    if (press.type !== 'key') {
      const option = optionsOf(question, 0).find(({ key }) => key === press.text)
      if (!before && isCounted && option && press.type === 'text')
        hold(press.text, option, question)
      else type((before?.text ?? '') + press.text)
      return
    }
    if (before) {
      // a key and Enter, as in other programs
      if (press.name === 'enter' && isAlone) return takeAnswer(chat, before.option.value, question)
      type(before.text)
    }
    if (!isCounted) {
      if (press.name === 'enter') endLine()
      return
    }
    if (press.name === 'escape') return refuse(question)
    const options = optionsOf(question, Date.now())
    const { selected } = question
    if (press.name === 'enter' && options[selected])
      return takeAnswer(chat, options[selected].value, question)
    move(press.name, selected, options.length)
  }

  /** A list the person has asked for: what is typed filters it. */
  function list(question: List, press: Press) {
    const { query, selected } = question
    if (press.type !== 'key') return chat.filter(query + press.text.replaceAll('\n', ' '))
    const options = optionsOf(question, Date.now())
    const chosen = options[selected]
    if (press.name === 'backspace') return chat.filter(query.slice(0, -1))
    if (press.name === 'ctrl-u') return chat.filter('')
    if (press.name === 'escape') return dispatch({ type: 'dialog', dialog: undefined })
    if (press.name === 'enter' && chosen) return takeAnswer(chat, chosen.value, question)
    move(press.name, selected, options.length)
  }

  function move(name: KeyName, selected: number, length: number) {
    const step =
      name === 'up' || name === 'ctrl-p' ? -1 : name === 'down' || name === 'ctrl-n' ? 1 : 0
    if (step === 0 || length === 0) return
    dispatch({ type: 'select', selected: (selected + step + length) % length })
  }

  function forget() {
    held?.release()
    held = undefined
  }

  function hold(text: string, option: DialogOption, question: Question) {
    const release = later(TYPING_MS, () => {
      held = undefined
      if (openDialog(get()) === question) takeAnswer(chat, option.value, question)
    })
    held = { text, option, release }
  }

  function type(text: string) {
    dispatch({ type: 'typing' })
    dispatch({ type: 'edit', editor: edit.insert(get().editor, text) })
  }

  /** Keeps what is typed next apart from what was typed before. */
  function endLine() {
    const { text } = get().editor
    type(text === '' || text.endsWith('\n') ? '' : '\n')
  }

  function refuse(question: Question) {
    if (question.type === 'loop') return chat.decide({ type: 'stop' })
    if (question.type === 'approval') return chat.approve('no')
    if (question.type === 'trust') return chat.trust(false)
    dispatch({ type: 'dialog', dialog: undefined })
  }

  return { press, forget }
}
