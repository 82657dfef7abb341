import { beforeEach, expect, test } from 'vitest'
import { dismiss, notify, useNotifications } from '#web/notify.ts'

const texts = () => useNotifications.getState().list.map(({ type, text }) => `${type} ${text}`)

beforeEach(() => useNotifications.setState({ list: [] }))

test('a notification has a type, a text and an id', () => {
  notify.success('Saved')
  notify.error('400 - Bad request. Please check your input.')
  const [first, second] = useNotifications.getState().list
  expect(first).toEqual({ type: 'success', text: 'Saved', id: expect.any(String) })
  expect(second?.id).not.toBe(first?.id)
})

test('at most three are kept: a newer one drops the oldest', () => {
  for (const text of ['1', '2', '3', '4', '5']) notify.error(text)
  expect(texts()).toEqual(['error 3', 'error 4', 'error 5'])
})

test('the same words again do not stand there twice', () => {
  notify.error('a')
  notify.error('b')
  notify.error('a')
  expect(texts()).toEqual(['error b', 'error a'])
})

test('a notification can be taken away', () => {
  notify.error('a')
  dismiss(useNotifications.getState().list[0]?.id ?? '')
  expect(texts()).toEqual([])
})
