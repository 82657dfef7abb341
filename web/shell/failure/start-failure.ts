/** How long until the server is asked again. */
const WAIT = 3_000

const TEXTS = {
  en: ['The server does not answer', 'Check your connection. This page tries again by itself.'],
  uk: ['Сервер не відповідає', 'Перевірте з’єднання. Сторінка спробує знову сама.'],
} as const

/** Says that the server cannot be reached, before there is an app that could, and waits a little. */
export async function showStartFailure(): Promise<void> {
  const [title, text] = navigator.language.startsWith('uk') ? TEXTS.uk : TEXTS.en
  const root = document.getElementById('root') ?? document.body
  root.replaceChildren(paragraph(title, 'start-title'), paragraph(text, 'start-text'))
  root.className = 'start'
  await new Promise((resolve) => setTimeout(resolve, WAIT))
  root.replaceChildren()
  root.className = ''
}

function paragraph(text: string, className: string): HTMLElement {
  const element = document.createElement('p')
  element.textContent = text
  element.className = className
  return element
}
