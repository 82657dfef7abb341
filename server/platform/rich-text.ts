import { createRequire } from 'node:module'
import type SanitizeHtml from 'sanitize-html'

/**
 * Keeps the formatting of texts people write with the editor; scripts, styles and every other address than http(s) and mailto go.
 * With `pictures` those stay that were uploaded here, named by `data-file`; none is ever loaded from anywhere else.
 */
export function cleanHtml(html: string, { pictures = false } = {}): string {
  const sanitizeHtml = sanitizer()
  return sanitizeHtml(html, {
    allowedTags: [
      ...(pictures ? ['img'] : []),
      'p',
      'br',
      'hr',
      'strong',
      'b',
      'em',
      'i',
      'u',
      's',
      'h2',
      'h3',
      'h4',
      'ul',
      'ol',
      'li',
      'blockquote',
      'code',
      'pre',
      'a',
    ],
    allowedAttributes: { a: ['href', 'rel', 'target'], ...(pictures && { img: ['data-file', 'alt'] }) },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !UPLOADED.test(attribs['data-file'] ?? ''),
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow', target: '_blank' }) },
  })
}

/** Loaded by the first text: a parser of styles comes with it, a thirtieth of all an API loads. */
function sanitizer(): typeof SanitizeHtml {
  return require('sanitize-html') as typeof SanitizeHtml // what the package exports
}

const require = createRequire(import.meta.url)
const UPLOADED = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What somebody reads of a sanitised text, in one line. */
export function plainText(html: string): string {
  // paragraphs have no space between them
  const text = sanitizer()(html.replace(/<\/(p|li|h\d|blockquote|pre)>|<br[^>]*>/g, '$& '), { allowedTags: [], allowedAttributes: {} })
  const signs: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
  return text
    .replace(/&(lt|gt|quot|amp);/g, (sign) => signs[sign] ?? sign)
    .replace(/\s+/g, ' ')
    .trim()
}
