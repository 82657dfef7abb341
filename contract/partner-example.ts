/** A call of the partner API as an example shows it: `path` with its query. */
export type ExampleCall = { method: string; path: string; body: object | null }

/** The languages examples are shown in. */
export const EXAMPLE_LANGUAGES = ['curl', 'javascript', 'python'] as const
export type ExampleLanguage = (typeof EXAMPLE_LANGUAGES)[number]

/** A call at an address of the network with a key, as text that runs as it stands. */
export function exampleIn(language: ExampleLanguage, origin: string, key: string, call: ExampleCall): string {
  return { curl: asCurl, javascript: asJavaScript, python: asPython }[language](`${origin}${call.path}`, key, call)
}

function asCurl(url: string, key: string, { method, body }: ExampleCall): string {
  const lines = [`curl -X ${method} ${inShell(url)}`, `-H ${inShell(`Authorization: Bearer ${key}`)}`]
  if (body !== null) lines.push(`-H 'Content-Type: application/json'`, `-d ${inShell(JSON.stringify(body))}`)
  return lines.join(' \\\n  ')
}

function asJavaScript(url: string, key: string, { method, body }: ExampleCall): string {
  const headers = { Authorization: `Bearer ${key}`, ...(body !== null && { 'Content-Type': 'application/json' }) }
  const options = [
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${JSON.stringify(headers)},`,
    ...(body === null ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ]
  return `const response = await fetch(${JSON.stringify(url)}, {\n${options.join('\n')}\n})\nconsole.log(response.status, await response.json())`
}

function asPython(url: string, key: string, { method, body }: ExampleCall): string {
  const headers = { Authorization: `Bearer ${key}`, ...(body !== null && { 'Content-Type': 'application/json' }) }
  // a text of JSON is one of Python too; its null, true and false are not, so a body stays text
  const data = body === null ? '' : `\n    data=${JSON.stringify(JSON.stringify(body))}.encode(),`
  return [
    'import urllib.request',
    '',
    `request = urllib.request.Request(\n    ${JSON.stringify(url)},\n    method=${JSON.stringify(method)},\n    headers=${JSON.stringify(headers)},${data}\n)`,
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
